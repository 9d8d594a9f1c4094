import { readFileSync } from "node:fs";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { openWindow, type Person, type Window } from "../window.ts";
import { behaviors, example, filesBelow, projectFrom, readWalk, teaShop, walkItems } from "./walk.ts";

const walk = readWalk();

/** Walks the example as an assistant does, up to an action, which is left open. */
async function walkTo(window: Window, behavior: string, action: string): Promise<void> {
  for (const step of walk) {
    await walkItems(window, step.behavior, await window.call(`${step.behavior}_bot`));
    if (step.behavior === behavior && step.action === action) return;
    await window.call("complete_action", step.handed);
  }
}

test("the tea shop is walked through all six behaviors to the end; no rule is broken, nothing warned of, and a person asked twice a behavior", async () => {
  const root = projectFrom("story-bot");
  const asked: string[] = [];
  let now = "";
  const person: Person = () => {
    asked.push(now);
    return { action: "accept", content: { answer: "yes" } };
  };
  const window = await openWindow(root, { person });
  for (const { behavior, action, handed: whole } of walk) {
    const { confirmation: _, ...submitted } = whole;
    now = `${behavior}.${action}`;
    const opened = await window.call(`${behavior}_bot`);
    expect(opened).toMatchObject({ status: "started", behavior, action, warnings: [] });
    expect(opened.instructions).not.toContain("{{");
    await walkItems(window, behavior, opened);
    if (action === "validate_rules") expect(opened.instructions).toContain("Checked by Waymark: no violations");
    const completed = await window.call("complete_action", submitted);
    const isLast = action === "validate_rules";
    expect(completed).toMatchObject({ status: isLast ? "workflow_complete" : "completed", action, warnings: [] });
    if (isLast) expect(completed.instructions).toContain("Rules checked by Waymark: no violations.");
  }
  expect(walk).toHaveLength(30);
  // What lies between the criteria and the result goes on by itself, because it is proved.
  expect(asked).toEqual(
    behaviors.flatMap((behavior) => [`${behavior}.decide_planning_criteria`, `${behavior}.validate_rules`]),
  );
  expect(await runCli(["verify", "--root", root, "--require", "scenarios"])).toMatchObject({ code: 0 });
  const docs = filesBelow(join(teaShop, "docs"));
  expect(filesBelow(join(root, "docs"))).toEqual(docs);
  for (const file of docs) {
    expect(readFileSync(join(root, "docs", file), "utf8"), file).toBe(example(`docs/${file}`));
  }
});

test("a bad file is refused with rule, file and line, and its mended version is taken", async () => {
  const root = projectFrom("story-bot");
  const window = await openWindow(root);
  await walkTo(window, "exploration", "validate_rules");
  const path = "docs/stories/reserve-a-free-table.md";
  const last = walk.find(({ behavior, action }) => behavior === "exploration" && action === "validate_rules")?.handed;
  const refused = await window.call("complete_action", {
    ...last,
    content: [{ path, text: example("broken/reserve-a-free-table.md") }],
  });
  expect(refused).toMatchObject({ status: "refused", error: "check_failed", warnings: [] });
  for (const found of [
    `story_has_its_parts, ${path}: the page lacks a part (the heading "In and out" is missing)`,
    `criteria_say_when_and_then, ${path}:11: it does not read When …, then …`,
    `criteria_say_when_and_then, ${path}:12: it does not read When …, then …`,
    `criteria_can_be_tested, ${path}:13: no one can test this; say what exactly`,
    `what_not_how (warning), ${path}:14: this is how; say what the user gets ("button" is forbidden here)`,
    `nothing_left_to_fill, ${path}:18: this is still to be filled in`,
  ]) {
    expect(refused.instructions).toContain(found);
  }
  expect(refused.instructions).toContain("Checked by Waymark: 5 errors, 1 warning");
  expect(readFileSync(join(root, path), "utf8")).toBe(example(path)); // what was refused is not saved

  const mended = await window.call("complete_action", { ...last, content: [{ path, text: example(path) }] });
  expect(mended).toMatchObject({ status: "workflow_complete", warnings: [] });
});

test("an order of increments without its owner is not complete, and neither are rules without a verdict", async () => {
  const window = await openWindow(projectFrom("story-bot"));
  await walkTo(window, "prioritization", "decide_planning_criteria");
  const unowned = await window.call("complete_action", { confirmation: "yes" });
  expect(unowned).toMatchObject({ status: "refused", error: "incomplete_checkpoint" });
  expect(unowned.missing_evidence).toEqual([
    "decided_by (required: the name of the person who owns the order of the increments)",
  ]);
  for (const { behavior, action, handed: submitted } of walk
    .filter((step) => step.behavior === "prioritization")
    .slice(1, 4)) {
    expect(await window.call("complete_action", submitted)).toMatchObject({ status: "completed", behavior, action });
    await window.call("prioritization_bot");
  }
  const unjudged = await window.call("complete_action", { confirmation: "looks good" });
  expect(unjudged.missing_evidence).toEqual([expect.stringContaining("rules_judged (required: ")]);
});

test("the tools cost at most 1,600 tokens, those for its items included, and no description is cut", async () => {
  const { client } = await openWindow(projectFrom("story-bot"));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "story_bot",
    ...behaviors.map((name) => `${name}_bot`),
    "complete_action",
    "start_workflow",
    "get_phase_content",
    "complete_phase",
    "get_workflow_state",
    "search_standards",
  ]);
  const seen = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  expect(countTokens(JSON.stringify(seen))).toBeLessThanOrEqual(1600);
  for (const { description } of tools) expect(description).not.toContain("…");
});

test("an opened action costs at most 1,750 tokens, and 900 on average for those before the rules are shown", async () => {
  const window = await openWindow(projectFrom("story-bot"));
  const costs: { readonly action: string; readonly tokens: number }[] = [];
  for (const { behavior, action, handed: submitted } of walk) {
    const opened = await window.call(`${behavior}_bot`);
    const { instructions } = opened;
    await walkItems(window, behavior, opened);
    costs.push({ action: `${behavior}.${action}`, tokens: countTokens(instructions) });
    await window.call("complete_action", submitted);
  }
  expect(costs.filter(({ tokens }) => tokens > 1750)).toEqual([]);
  const before = costs.filter(({ action }) => !action.endsWith("validate_rules"));
  expect(before.reduce((sum, { tokens }) => sum + tokens, 0) / before.length).toBeLessThanOrEqual(900);
});

test("what is not proved does not go on by itself: a part that lacks is refused, and a warning waits for a word", async () => {
  const window = await openWindow(projectFrom("story-bot"));
  const [gather, decide, build] = walk;
  const path = "docs/context/shape.md";
  await window.call("shape_bot");
  const text = example(path).replace("## Open questions", "## Open");
  const refused = await window.call("complete_action", { content: [{ path, text }] });
  expect(refused).toMatchObject({ status: "refused", error: "check_failed" });
  expect(refused.checks).toEqual([
    { name: "context", status: "failed", summary: `${path}: missing heading "Open questions"` },
  ]);
  expect(await window.call("complete_action", gather?.handed)).toMatchObject({
    status: "completed",
    next: { action: "decide_planning_criteria", auto: true },
  });

  for (const step of [decide, build]) await window.pass("shape_bot", step?.handed);
  await window.call("shape_bot");
  const map = example("drafts/shape/story-map.md").replace("without phoning", "with a database");
  const waits = await window.call("complete_action", { content: [{ path: "docs/story-map.md", text: map }] });
  expect(waits).toMatchObject({ status: "awaiting_human" });
  expect(waits.instructions).toContain("warning: no_solutions_yet");
  expect(await window.call("complete_action", { confirmation: "leave it" })).toMatchObject({
    status: "completed",
    next: { action: "validate_rules", auto: false },
  });
});
