import { describe, expect, test } from "vitest";
import type { RuleFile } from "../../engine/ports/checks.ts";
import type { Rule, RuleCheck } from "../../gates/rule.ts";
import { makeBudget } from "../budget.ts";
import { checkRules, checkWithin } from "./check-rules.ts";

type Bare = RuleCheck extends infer Check
  ? Check extends RuleCheck
    ? Omit<Check, "severity" | "message">
    : never
  : never;

function rule(check: Bare, more: Partial<RuleCheck> = {}): Rule {
  const whole = { severity: "error", message: "", ...more, ...check } as RuleCheck;
  return { name: "plain_words", description: "", file: "rules/plain_words.json", examples: [], checks: [whole] };
}

function own(text: string, path = "docs/story.md"): RuleFile {
  return { path, text, own: true };
}

const places = async (rules: readonly Rule[], files: readonly RuleFile[]): Promise<string[]> =>
  (await checkRules(rules, files)).map(({ file, line }) => (line === undefined ? file : `${file}:${line}`));
const messages = async (rules: readonly Rule[], files: readonly RuleFile[]): Promise<string[]> =>
  (await checkRules(rules, files)).map(({ message }) => message);

describe("what a rule is about must be there, where the rule says so", () => {
  test("a required check that finds no file to look at is broken; one that is not required is kept", async () => {
    const wanted = rule({ kind: "required_headings", headings: ["Users"] }, { glob: "docs/map.md", required: true });
    expect(await messages([wanted], [own("# Other")])).toEqual(["no file on record to check"]);
    expect(await places([wanted], [own("# Other")])).toEqual(["docs/map.md"]);
    expect(await messages([wanted], [own("# Users", "docs/map.md")])).toEqual([]);
    expect(await messages([rule({ kind: "forbidden_words", words: ["x"] }, { glob: "docs/map.md" })], [])).toEqual([]);
  });
});

// Attack (tools): Submit a pattern or a schema that runs for ever
// -> Bounded by counted work, and never run as code
describe("patterns", () => {
  const noTodo = rule({ kind: "must_not_match", pattern: "TODO|FIXME", flags: "" });

  test("a file that lacks what must match breaks the rule as a whole", async () => {
    const wanted = rule({ kind: "must_match", pattern: "^As an? \\w+", flags: "m" });
    expect(await checkRules([wanted], [own("Once upon a time")])).toEqual([
      {
        rule: "plain_words",
        severity: "error",
        file: "docs/story.md",
        message: "must match /^As an? \\w+/",
      },
    ]);
    expect(await checkRules([wanted], [own("# Title\nAs a reader I want more")])).toEqual([]);
  });

  test("every line that matches what must not is named once", async () => {
    expect(await places([noTodo], [own("a\nTODO TODO\nb\r\nFIXME\r\n")])).toEqual([
      "docs/story.md:2",
      "docs/story.md:4",
    ]);
  });

  test("the author's message stands first, with the line it is about", async () => {
    const told = rule(
      { kind: "must_not_match", pattern: "TODO", flags: "" },
      { message: "Finish it", severity: "warning" },
    );
    expect(await checkRules([told], [own("x\n  TODO later")])).toEqual([
      {
        rule: "plain_words",
        severity: "warning",
        file: "docs/story.md",
        line: 2,
        message: "Finish it (TODO later)",
      },
    ]);
  });

  test("a match over several lines has the line of its start, and the next one is found behind it", async () => {
    const block = rule({ kind: "must_not_match", pattern: "begin.*?end", flags: "s" });
    expect(await places([block], [own("x\nbegin\nend begin\nend\nbegin end")])).toEqual([
      "docs/story.md:2",
      "docs/story.md:3",
      "docs/story.md:5",
    ]);
    expect(await places([block], [own("begin\nbegin\nend")])).toEqual(["docs/story.md:1"]);
  });

  test("the flags i, m and s mean what they mean elsewhere", async () => {
    const found = (pattern: string, flags: string, text: string): Promise<string[]> =>
      places([rule({ kind: "must_not_match", pattern, flags })], [own(text)]);
    expect(await found("todo", "", "TODO")).toEqual([]);
    expect(await found("todo", "i", "TODO")).toEqual(["docs/story.md:1"]);
    expect(await found("^b", "", "a\nb")).toEqual([]);
    expect(await found("^b", "m", "a\nb")).toEqual(["docs/story.md:2"]);
    expect(await found("a.b", "", "a\nb")).toEqual([]);
    expect(await found("a.b", "s", "a\nb")).toEqual(["docs/story.md:1"]);
    expect(await found("a\\s+b", "", "a\n b")).toEqual(["docs/story.md:1"]);
    expect(await found("a[^c]b", "", "a\nb")).toEqual(["docs/story.md:1"]);
    expect(await found("(?s)a.b", "", "a\nb")).toEqual(["docs/story.md:1"]);
  });

  test("of many lines twenty are named and the rest counted", async () => {
    const found = await checkRules([noTodo], [own("TODO\n".repeat(50))]);
    expect(found).toHaveLength(21);
    expect(found.at(-1)?.message).toContain("and 30 more in this file");
  });

  test("a pattern that RE2 cannot search with is itself a violation, whatever the files", async () => {
    for (const pattern of ["(?=a)b", "(?<!a)b", "(a)\\1", "("]) {
      const [found, ...more] = await checkRules([rule({ kind: "must_not_match", pattern, flags: "" })], []);
      expect(more).toEqual([]);
      expect(found).toMatchObject({ severity: "error", file: "rules/plain_words.json" });
      expect(found?.message).toMatch(/^this check cannot be run: /);
    }
  });

  test("no pattern holds the server up, however evil and however long the file", async () => {
    const bait = `${"a".repeat(30)}!`.repeat(1_000);
    const long = "a".repeat(5_000_000);
    const evil = [
      "(a+)+$",
      "(a|aa)+$",
      "(a*)*b",
      "([a-z]+)*\\d$",
      "(.*a){20}[xy]",
      "[a-z]{500}[0-9]",
      "(?:a?){300}[xy]",
    ];
    for (const pattern of evil) {
      for (const kind of ["must_match", "must_not_match"] as const) {
        const budget = makeBudget();
        await checkWithin(budget, [rule({ kind, pattern, flags: "" })], [own(bait), own(long, "long.md")]);
        expect(budget.spent(), `${kind} ${pattern}`).toBeLessThan(300_000_000); // five seconds at the very worst
      }
    }
  });
});

describe("which files", () => {
  const noTodo: Bare = { kind: "must_not_match", pattern: "TODO", flags: "" };
  const files = [own("TODO", "a.md"), own("TODO", "docs/b.md"), { path: "docs/c.md", text: "TODO", own: false }];

  test("without a glob a check looks at the workflow's own files only", async () => {
    expect(await places([rule(noTodo)], files)).toEqual(["a.md:1", "docs/b.md:1"]);
  });

  test("with a glob it looks at every file that matches", async () => {
    expect(await places([rule(noTodo, { glob: "docs/*.md" })], files)).toEqual(["docs/b.md:1", "docs/c.md:1"]);
    expect(await places([rule(noTodo, { glob: "*.md" })], files)).toEqual(["a.md:1", "docs/b.md:1", "docs/c.md:1"]);
    expect(await places([rule(noTodo, { glob: "src/**" })], files)).toEqual([]);
  });

  test("a glob that is not understood is itself a violation", async () => {
    for (const glob of ["", "!docs/**", "+(a|b)", "[", "{a,b", "/etc/*", "x".repeat(201), "[z-a]"]) {
      expect(await places([rule(noTodo, { glob })], files), glob).toEqual(["rules/plain_words.json"]);
    }
  });
});

describe("headings, words and lengths", () => {
  test("a required heading counts at any level, in any case, outside code", async () => {
    const wanted = rule({ kind: "required_headings", headings: ["Goal", "Risks", "Open questions", "Scope"] });
    const text = "Goal\n====\n\n```\n# Risks\n```\n### OPEN  questions ##\n\n#Scope\n";
    expect(await messages([wanted], [own(text)])).toEqual([
      'the heading "Risks" is missing',
      'the heading "Scope" is missing',
    ]);
  });

  test("a heading written with its marks is wanted at that level", async () => {
    const wanted = rule({ kind: "required_headings", headings: ["## Goal"] });
    expect(await places([wanted], [own("# Goal")])).toEqual(["docs/story.md"]);
    expect(await places([wanted], [own("## goal")])).toEqual([]);
  });

  test("forbidden words are whole words, in any case and any script", async () => {
    const words = rule({ kind: "forbidden_words", words: ["simply", "in order to", "Größe", "C++", "東京"] });
    const text = "Simply put\noversimplyfied\nIN ORDER\n to win\nGRÖSSE größe größen\nuse C++!\n私は東京に\nsimply_x";
    expect(await places([words], [own(text)])).toEqual([1, 3, 5, 6, 7].map((line) => `docs/story.md:${line}`));
    expect((await messages([words], [own(text)]))[0]).toBe('"simply" is forbidden here');
  });

  test("a text may be as long as its limit, in lines, words or characters", async () => {
    const most = (unit: "lines" | "words" | "characters", limit: number): Rule =>
      rule({ kind: "max_length", unit, limit });
    expect(await messages([most("lines", 2)], [own("a\nb\n")])).toEqual([]);
    expect(await messages([most("lines", 1)], [own("a\nb\n")])).toEqual(["2 lines, at most 1 allowed"]);
    expect(await messages([most("words", 3)], [own("one two\nthree  four")])).toEqual(["4 words, at most 3 allowed"]);
    expect(await messages([most("characters", 2)], [own("🙂🙂")])).toEqual([]);
    expect(await messages([most("characters", 0)], [own("")])).toEqual([]);
  });
});

describe("bounds", () => {
  test("two hundred violations are returned, and one that counts the rest", async () => {
    const files = Array.from({ length: 300 }, (_, index) => own("TODO", `${index}.md`));
    const found = await checkRules([rule({ kind: "must_not_match", pattern: "TODO", flags: "" })], files);
    expect(found).toHaveLength(201);
    expect(found.at(-1)).toMatchObject({ severity: "error", file: "200.md" });
    expect(found.at(-1)?.message).toBe("and 100 more violations, from here on");
  });

  test("what there was no work left to check with counts as broken", async () => {
    const found = await checkWithin(makeBudget(0), [rule({ kind: "max_length", unit: "lines", limit: 9 })], [own("a")]);
    expect(found).toMatchObject([{ severity: "error", file: "rules/plain_words.json" }]);
    expect(found[0]?.message).toContain("took too long");
  });

  test("a check that could not be read is reported as what it is", async () => {
    const broken = rule({ kind: "unusable", reason: "a must_match check needs a pattern" });
    expect(await checkRules([broken], [])).toEqual([
      {
        rule: "plain_words",
        severity: "error",
        file: "rules/plain_words.json",
        message: "this check cannot be run: a must_match check needs a pattern",
      },
    ]);
  });
});
