import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkRules } from "../../checks/rules/check-rules.ts";
import type { Correction } from "../../gates/correction.ts";
import { type Files, onlyBot, writeDefinitions } from "../bots/write-definitions.testing.ts";
import { loadRules, locateRules } from "./load-rules.ts";
import { parseCorrection } from "./parse-correction.ts";
import { prepareCorrection } from "./prepare-correction.ts";

const behavior = "bots/story_bot/behaviors/shape";
const file = `${behavior}/rules/2_plain_words.json`;
const correction: Correction = { rule: "plain_words", dont: "utilise", do: "use" };

function setUp(files: Files) {
  const definitions = writeDefinitions({ "bots/story_bot/bot_config.json": { behaviors: ["shape"] }, ...files });
  const only = () => {
    const tree = onlyBot(definitions);
    return { tree, shape: tree.behaviors[0] ?? { name: "shape" } };
  };
  return {
    definitions,
    keep: async (more: Partial<Correction> = {}) => {
      const { tree, shape } = only();
      const placed = prepareCorrection(tree.folder, locateRules(tree, shape).placed, {
        ...correction,
        ...more,
      });
      return "refused" in placed ? placed : placed.keep();
    },
    rules: () => loadRules(only().tree, only().shape).rules,
    text: (path = file) => readFileSync(join(definitions, path), "utf8"),
  };
}

describe("a correction becomes the rule's next example", () => {
  test("in the JSON file, with every other key and the layout kept", async () => {
    const before = `{\n    "name": "Plain words",\n    "x": {"b": 1, "a": 2},\n    "examples": [\n        {"do": "a", "dont": "b"}\n    ]\n}\n`;
    const { keep, text } = setUp({ [file]: before });
    expect(await keep()).toEqual({
      kept: "Saved in .waymark/bots/story_bot/behaviors/shape/rules/2_plain_words.json: the rule Plain words has a new example. The next validation uses it.",
      isNew: true,
    });
    expect(text()).toBe(
      before.replace('"b"}', '"b"},\n        {\n            "do": "use",\n            "dont": "utilise"\n        }'),
    );
  });

  test("tabs, Windows line ends, one line, and no line end at the end stay so", async () => {
    const tabs = setUp({ [file]: '{\r\n\t"description": "x"\r\n}' });
    await tabs.keep();
    expect(tabs.text()).toMatch(
      /^\{\r\n\t"description": "x",\r\n\t"examples": \[\{ "do": "use", "dont": "utilise" \}\]\r\n/,
    );
    expect(tabs.text()).toMatch(/\}$/);
    const flat = setUp({ [file]: '{"description":"x"}\n' });
    await flat.keep();
    expect(flat.text()).toBe('{"description":"x","examples":[{"do":"use","dont":"utilise"}]}\n');
  });

  test("a rule with guidance gets a list of examples, one in a list is found there, a plain text becomes a rule", async () => {
    const guided = setUp({ [file]: { do: { guidance: ["short"] } } });
    await guided.keep();
    expect(JSON.parse(guided.text())).toEqual({
      do: { guidance: ["short"] },
      examples: [{ do: "use", dont: "utilise" }],
    });
    const listed = setUp({
      [`${behavior}/rules/all.json`]: {
        rules: [
          { name: "other", description: "x" },
          { name: "plain_words", description: "y" },
        ],
      },
    });
    await listed.keep();
    expect(JSON.parse(listed.text(`${behavior}/rules/all.json`)).rules[1].examples).toHaveLength(1);
    const plain = setUp({ [file]: '"Use plain words."' });
    await plain.keep();
    expect(plain.rules()).toMatchObject([
      { name: "plain_words", description: "Use plain words.", examples: [{ do: "use" }] },
    ]);
  });

  test("as items of a Markdown rule, whose other text stays", async () => {
    const path = `${behavior}/rules/plain_words.md`;
    const { keep, text, rules } = setUp({
      [path]: "# Plain words\n\nSay it plainly.\n\n## Do\n\n- use\n\n## Notes\n\nNone.\n",
    });
    expect(await keep({ do: "help", dont: "facilitate" })).toHaveProperty("kept");
    expect(text(path)).toBe(
      "# Plain words\n\nSay it plainly.\n\n## Do\n\n- use\n- help\n\n## Notes\n\nNone.\n\n## Don't\n\n- facilitate\n",
    );
    expect(rules()[0]?.examples).toEqual([{ do: "use" }, { do: "help" }, { dont: "facilitate" }]);
    expect(await keep({ do: "help", dont: "facilitate" })).toEqual({
      kept: expect.stringContaining("nothing changed"),
      isNew: false,
    });
  });

  test("given twice it changes nothing the second time", async () => {
    const { keep, text } = setUp({ [file]: { description: "x" } });
    await keep({ pattern: "utili[sz]e" });
    const once = text();
    expect(await keep({ pattern: "utili[sz]e" })).toMatchObject({
      kept: expect.stringContaining("nothing changed"),
    });
    expect(text()).toBe(once);
    await keep({ pattern: "utilisation" });
    expect(JSON.parse(text())).toMatchObject({ examples: [{ do: "use" }], checks: [{}, { pattern: "utilisation" }] });
  });
});

describe("a pattern becomes a check", () => {
  test("that the next validation runs", async () => {
    const { keep, rules } = setUp({ [file]: { description: "x" } });
    const story = [{ path: "story.md", text: "We\nutilise it.", own: true }];
    expect(await checkRules(rules(), story)).toEqual([]);
    await keep({ pattern: "\\butili[sz]e" });
    expect(await checkRules(rules(), story)).toEqual([
      {
        rule: "plain_words",
        severity: "error",
        file: "story.md",
        line: 2,
        message: "utilise → use (utilise it.)",
      },
    ]);
  });

  test("one that RE2 cannot search with is refused, and so is one for Markdown: nothing is written", async () => {
    const { keep, text } = setUp({ [file]: { description: "x" } });
    expect(await keep({ pattern: "(?=utilise)" })).toEqual({ refused: expect.stringContaining("RE2") });
    expect(text()).toBe('{"description":"x"}');
    const markdown = setUp({ [`${behavior}/rules/plain_words.md`]: "# Plain words\n" });
    expect(await markdown.keep({ pattern: "utilise" })).toEqual({
      refused: expect.stringContaining("convert it to JSON"),
    });
    expect(markdown.text(`${behavior}/rules/plain_words.md`)).toBe("# Plain words\n");
  });
});

describe("which rule is meant", () => {
  test("its name counts in any case and with any separators, the behavior's before the bot's", async () => {
    const { keep, text } = setUp({
      [file]: { description: "x" },
      "bots/story_bot/rules/plain_words.json": { description: "y" },
    });
    for (const rule of ["Plain Words", "plain-words", "2_plain_words"])
      expect(await keep({ rule, do: rule })).toHaveProperty("kept");
    expect(JSON.parse(text()).examples).toHaveLength(3);
    expect(text("bots/story_bot/rules/plain_words.json")).toBe('{"description":"y"}');
  });

  test("an unknown one is refused with the nearest and with all there are", async () => {
    const { keep } = setUp({ [file]: { description: "x" }, [`${behavior}/rules/verbs.json`]: { description: "y" } });
    expect(await keep({ rule: "plain_word" })).toEqual({
      refused: 'the rule "plain_word" does not exist; the rules are plain_words, verbs; did you mean "plain_words"?',
    });
    expect(await setUp({}).keep()).toEqual({
      refused: 'the rule "plain_words" does not exist: this bot has no rules yet',
    });
  });
});

describe("nothing is written where it must not be", () => {
  test("a link that leads out of the bot's folder is refused", async () => {
    const { definitions, keep } = setUp({ "outside/plain_words.json": { description: "x" } });
    mkdirSync(join(definitions, behavior, "rules"), { recursive: true });
    symlinkSync(join(definitions, "outside/plain_words.json"), join(definitions, file));
    expect(await keep()).toEqual({ refused: expect.stringContaining("is not in the bot's folder") });
    expect(readFileSync(join(definitions, "outside/plain_words.json"), "utf8")).toBe('{"description":"x"}');
  });

  test("a linked rules folder is refused too, and a link inside the bot is followed", async () => {
    const { definitions, keep, text } = setUp({
      "outside/plain_words.json": { description: "x" },
      "bots/story_bot/kept/plain_words.json": { description: "y" },
    });
    mkdirSync(join(definitions, behavior), { recursive: true });
    symlinkSync(join(definitions, "outside"), join(definitions, behavior, "rules"));
    expect(await keep()).toHaveProperty("refused");
    renameSync(join(definitions, behavior, "rules"), join(definitions, "gone"));
    symlinkSync(join(definitions, "bots/story_bot/kept"), join(definitions, behavior, "rules"));
    expect(await keep()).toHaveProperty("kept");
    expect(JSON.parse(text("bots/story_bot/kept/plain_words.json")).examples).toHaveLength(1);
  });

  test("no draft is left behind", async () => {
    const { definitions, keep } = setUp({ [file]: { description: "x" } });
    await keep();
    expect(readdirSync(dirname(join(definitions, file)))).toEqual(["2_plain_words.json"]);
  });

  test("a broken rule file is left alone", async () => {
    const { keep, text } = setUp({ [file]: '{"name": "plain_words",' });
    expect(await keep()).toEqual({ refused: expect.stringContaining("fix it first") });
    expect(text()).toBe('{"name": "plain_words",');
  });
});

describe("reading a correction", () => {
  test("it is there as soon as one of its keys is, and then it must be whole", () => {
    expect(parseCorrection(undefined)).toBeUndefined();
    expect(parseCorrection({ note: "x" })).toBeUndefined();
    expect(parseCorrection({ rule: "a", dont: "b", do: " c " })).toEqual({ rule: "a", dont: "b", do: "c" });
    expect(parseCorrection({ rule: "a", dont: "b", do: "c", pattern: "d" })).toEqual({
      rule: "a",
      dont: "b",
      do: "c",
      pattern: "d",
    });
    expect(parseCorrection({ rule: "a" })).toEqual({
      invalid: 'a correction needs what was wrong in "dont", but it is missing',
    });
    expect(parseCorrection({ rule: "", dont: "b", do: "c" })).toEqual({
      invalid: `a correction needs its rule's name in "rule", but it is empty`,
    });
    expect(parseCorrection({ rule: "a", dont: 1, do: "c" })).toHaveProperty("invalid");
    expect(parseCorrection({ rule: "a", dont: "b", do: "c", pattern: "" })).toHaveProperty("invalid");
    expect(parseCorrection({ rule: "a", dont: "b".repeat(1498), do: "c" })).toHaveProperty("rule");
    expect(parseCorrection({ rule: "a", dont: "b".repeat(1499), do: "c" })).toHaveProperty("invalid");
    expect(parseCorrection({ rule: "a", dont: "b", do: "c", pattern: "\n".repeat(750) })).toHaveProperty("invalid");
    expect(parseCorrection({ rule: "a", dont: "b", do: "c", pattern: 1 })).toHaveProperty("invalid");
  });
});
