import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkRules } from "../../src/checks/rules/check-rules.ts";
import { readBotTrees } from "../../src/definitions/bots/bot-trees.ts";
import { loadRules } from "../../src/definitions/rules/load-rules.ts";
import { filesOf } from "../../src/definitions/snapshot/files-of.testing.ts";
import type { Rule, RuleCheck } from "../../src/gates/rule.ts";
import type { Violation } from "../../src/workflow/events.ts";
import { behaviors, example, filesBelow, teaShop, templates } from "./walk.ts";

const { bots, problems } = readBotTrees(filesOf(join(templates, "story-bot")));
const [bot] = bots;
if (bot === undefined) throw new Error("the template holds no bot");

const loaded = bot.behaviors.map((behavior) => ({
  behavior: behavior.name,
  ...loadRules(bot, behavior),
}));
const isOwn = ({ file }: Rule, behavior: string): boolean => file.includes(`/behaviors/${behavior}/rules/`);
const owned = loaded.flatMap(({ behavior, rules }) =>
  rules.filter((rule) => isOwn(rule, behavior)).map((rule) => ({ behavior, rule })),
);
const shared = (loaded[0]?.rules ?? [])
  .filter(({ file }) => !file.includes("/behaviors/"))
  .map((rule) => ({ behavior: "story_bot", rule }));
const all = [...owned, ...shared];

/** The graph as it stood after a behavior. */
function graphAfter(behavior: string): string {
  return example(behavior === behaviors.at(-1) ? "docs/story-graph.json" : `drafts/${behavior}/story-graph.json`);
}

/** A path that a glob of the story bot matches. */
function pathIn(glob = ""): string {
  return glob
    .replace("**/", "")
    .replace(/\{([\w-]+),.*\}/, "$1")
    .replace("*", "one");
}

/** What one check finds in one text. */
function run(rule: Rule, check: RuleCheck, text: string): Promise<readonly Violation[]> {
  return checkRules([{ ...rule, checks: [check] }], [{ path: pathIn(check.glob), text, own: true }]);
}

describe("the story bot's definitions", () => {
  test("nothing in them is in doubt", () => {
    expect([...problems, ...bot.problems]).toEqual([]);
    expect(loaded.flatMap(({ problems }) => problems)).toEqual([]);
    expect(bot.behaviors.map(({ name }) => name)).toEqual(behaviors);
  });

  test("each behavior has at least five rules of its own, and each rule shows twice what to do and what not", () => {
    for (const behavior of behaviors) {
      expect(owned.filter((one) => one.behavior === behavior).length, behavior).toBeGreaterThanOrEqual(5);
    }
    for (const { rule } of all) {
      expect(rule.description, rule.file).not.toBe("");
      expect(rule.examples.filter((one) => one.do && one.dont).length, rule.file).toBeGreaterThanOrEqual(2);
    }
  });

  test("at least half of the rules are checked by machine, each check with its files and what to do", () => {
    const checked = all.filter(({ rule }) => rule.checks.length > 0);
    expect(checked.length * 2).toBeGreaterThanOrEqual(all.length);
    for (const { rule } of checked) {
      for (const { glob, message } of rule.checks) {
        expect(glob, rule.file).toBeTruthy();
        expect(message, rule.file).toBeTruthy();
      }
    }
  });

  test("each behavior lets people decide between two to four options, each with the case for it", () => {
    for (const behavior of behaviors) {
      const file = join(templates, `story-bot/bots/story_bot/behaviors/${behavior}/planning_criteria.json`);
      const { criteria } = JSON.parse(readFileSync(file, "utf8"));
      expect(criteria.length, file).toBeGreaterThanOrEqual(2);
      for (const { options } of criteria) {
        expect(options.length, file).toBeGreaterThanOrEqual(2);
        expect(options.length, file).toBeLessThanOrEqual(4);
        for (const { name, when } of options) expect([name, when].every(Boolean), file).toBe(true);
      }
    }
  });
});

/** What the examples of a rule cannot show by themselves. */
const samples: Readonly<Record<string, { readonly good: string; readonly bad: string }>> = {
  "two_to_eight_criteria must_match": { good: "- **AC1** a\n- **AC2** b\n", bad: "- **AC1** a\n" },
  "two_to_eight_criteria must_not_match": { good: "- **AC8** When\n", bad: "- **AC8** When\n- **AC9** When\n" },
  "as_low_as_can_be must_not_match": {
    good: "| a | end-to-end | f | b | planned |\n".repeat(3),
    bad: "| a | end-to-end | f | b | planned |\n".repeat(4),
  },
};

describe("every rule that a machine checks can be kept, and can be broken", () => {
  const checks = all.flatMap(({ behavior, rule }) => rule.checks.map((check) => ({ behavior, rule, check })));
  const named = checks.map((one) => [`${one.behavior}: ${one.rule.name} (${one.check.kind})`, one] as const);
  const patterns = named.filter(([, { check }]) => ["must_not_match", "forbidden_words"].includes(check.kind));
  const others = named.filter((one) => !patterns.includes(one));

  test.each(patterns)("%s: finds its don'ts, and leaves its dos alone", async (_, { rule, check }) => {
    const sample = samples[`${rule.name} ${check.kind}`];
    const dos = sample === undefined ? rule.examples.map((one) => one.do ?? "") : [sample.good];
    const donts = sample === undefined ? rule.examples.map((one) => one.dont ?? "") : [sample.bad];
    for (const text of dos) expect(await run(rule, check, text), text).toEqual([]);
    const found = await Promise.all(donts.map((text) => run(rule, check, text)));
    const isAlone = rule.checks.length === 1;
    expect(found.filter((violations) => violations.length > 0).length).toBeGreaterThanOrEqual(
      isAlone ? donts.length : 1,
    );
  });

  test.each(others)("%s: takes what the example hands in, and misses each part that is left out", async (_, one) => {
    const { behavior, rule, check } = one;
    switch (check.kind) {
      case "json_schema": {
        const before = behaviors[behaviors.indexOf(behavior) - 1];
        expect(await run(rule, check, graphAfter(behavior))).toEqual([]);
        const [first] = await run(rule, check, before === undefined ? "{}" : graphAfter(before));
        expect(first).toMatchObject({ rule: rule.name, file: "docs/story-graph.json", line: expect.any(Number) });
        return;
      }
      case "required_headings": {
        const folder = join(teaShop, "docs");
        const text = example(`docs/${filesBelow(folder).find((file) => fits(check.glob, `docs/${file}`))}`);
        expect(await run(rule, check, text)).toEqual([]);
        for (const heading of check.headings) {
          const found = await run(rule, check, text.replace(`## ${heading}\n`, "\n"));
          expect(found.map(({ message }) => message)).toEqual([expect.stringContaining(`"${heading}"`)]);
        }
        return;
      }
      default: {
        const sample = samples[`${rule.name} ${check.kind}`];
        expect(await run(rule, check, sample?.good ?? "")).toEqual([]);
        expect(await run(rule, check, sample?.bad ?? "")).not.toEqual([]);
      }
    }
  });
});

describe("the rules know a slip from a sound sentence", () => {
  test.each([
    ["exploration", "criteria_can_be_tested", "- Should a guest hold two reservations? Mara decides\n", 0],
    ["exploration", "criteria_say_when_and_then", "- **AC1** When it rains,\n  then the awning is out\n", 0],
    ["exploration", "criteria_say_when_and_then", "- **AC1** the awning is out, when it rains\n", 1],
    ["scenarios", "values_are_real", "- Given a voucher that is valid until 5 June\n", 0],
    ["scenarios", "given_when_then", "### A\n\n- Given a\n- When b\n- Then c\n\n### B\n\n- Given d\n- When e\n", 1],
    ["scenarios", "given_when_then", "- When a long step goes on\n  in the next line\n- Then c\n", 0],
    ["scenarios", "no_criterion_without_scenario", "## AC1: a\n\nFrom the house rules.\n\n### B\n", 0],
    ["discovery", "every_story_has_a_size", "1. Reserve a table (XL)\n2. Cancel (S)\n3. Move (m)\n4. Call\n", 3],
    [
      "discovery",
      "stories_begin_with_a_verb",
      "1. Answer a guest (S)\n2. Assign a table (S)\n3. Use a voucher (S)\n",
      0,
    ],
    ["prioritization", "increments_have_their_parts", "## Order and why\n## 1. A\n\n## Left for later\n", 1],
    ["prioritization", "named_by_what_it_brings", "## 2. Authors compare versions\n", 0],
    ["tests", "nothing_left_to_fill", "The server answers at /tables/{id}, and {} is empty\n", 0],
    ["tests", "no_empty_cells", "| A | B |\n| --- | --- |\n| a | b |\n", 0],
  ])("%s, %s: %j", async (behavior, name, text, count) => {
    const rule = loaded.find((one) => one.behavior === behavior)?.rules.find((one) => one.name === name);
    if (rule === undefined) throw new Error(`there is no rule ${name}`);
    const path = pathIn(rule.checks[0]?.glob);
    expect(await checkRules([rule], [{ path, text, own: true }])).toHaveLength(count);
  });
});

function fits(glob = "", path = ""): boolean {
  return glob === path || (glob.endsWith("/*.md") && path.startsWith(glob.slice(0, -4)));
}

describe("the story graph builds up from behavior to behavior", () => {
  const schemas = owned.flatMap(({ behavior, rule }) =>
    rule.checks.flatMap((check) => (check.kind === "json_schema" ? [{ behavior, rule, check }] : [])),
  );

  test("each behavior requires what the ones before it required", () => {
    expect(schemas.map(({ behavior }) => behavior)).toEqual(behaviors);
    const wanted = schemas.map(({ check }) => new Set([check.schema.required].flat().map(String)));
    for (const [index, names] of wanted.entries()) {
      for (const name of wanted[index - 1] ?? []) expect(names).toContain(name);
    }
  });

  test("the graph of a behavior is whole for it and for all before it, and not yet for the next", async () => {
    for (const [at, graph] of behaviors.map(graphAfter).entries()) {
      for (const [index, { behavior, rule, check }] of schemas.entries()) {
        const found = await run(rule, check, graph);
        expect(found.length === 0, `${behaviors[at]}'s graph, ${behavior}'s schema`).toBe(index <= at);
      }
    }
  });

  test.each([
    ["a user without a goal", (graph: Graph) => delete graph.users[0]?.goal],
    ["a size that nobody knows", (graph: Graph) => Object.assign(graph.stories[0] ?? {}, { size: "XL" })],
    ["a slug that is no file name", (graph: Graph) => Object.assign(graph.stories[0] ?? {}, { slug: "A b" })],
    ["one criterion alone", (graph: Graph) => graph.stories[0]?.acceptance_criteria?.splice(1)],
    [
      "a scenario of no criterion",
      (graph: Graph) => Object.assign(graph.stories[0]?.scenarios?.[0] ?? {}, { criterion: "1" }),
    ],
    ["tests without scenarios", (graph: Graph) => delete graph.stories[0]?.scenarios],
    ["a test without a file", (graph: Graph) => delete graph.stories[0]?.tests?.[0]?.file],
  ])("%s is found", async (_, spoil) => {
    const graph: Graph = JSON.parse(graphAfter("tests"));
    spoil(graph);
    const last = schemas.at(-1);
    if (last === undefined) throw new Error("there is no schema");
    const found = await run(last.rule, last.check, JSON.stringify(graph, null, 2));
    expect(found.length).toBeGreaterThan(0);
    for (const violation of found) expect(violation.line).toBeGreaterThan(1);
  });
});

type Graph = {
  users: Record<string, string>[];
  stories: {
    acceptance_criteria?: unknown[];
    scenarios?: Record<string, unknown>[];
    tests?: Record<string, unknown>[];
  }[];
};

test("the finished documents keep the rules of every behavior, so that the team can go back to any", async () => {
  const files = filesBelow(join(teaShop, "docs")).map((file) => {
    return { path: `docs/${file}`, text: example(`docs/${file}`), own: true };
  });
  for (const { behavior, rules } of loaded) expect(await checkRules(rules, files), behavior).toEqual([]);
});
