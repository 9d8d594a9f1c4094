import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished } from "vitest";
import { runCli } from "../command-line.ts";
import { makeProject, type Project } from "../project.ts";

/** A folder of its own for one test. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "waymark-generate-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The story bot of the seeds, with a gate, a rule, a list of its own, templates, and instructions that draw a warning. */
export function makeBotProject(): Project {
  const project = makeProject();
  project.write(".waymark/bots/story_bot/bot_config.json", {
    ...project.json(".waymark/bots/story_bot/bot_config.json"),
    description: "Turns an idea into stories.",
    trigger_words: ["story map"],
  });
  const behavior = ".waymark/bots/story_bot/behaviors";
  project.write(
    `${behavior}/2_prioritization/gather_context/gate-definition.yaml`,
    "evidence_schema:\n  asked: { type: integer, required: true, description: how many were asked }\n",
  );
  project.write(`${behavior}/3_discovery/behavior.json`, {
    actions: ["gather_context", { name: "decide_planning_criteria", skip: "settled" }, "validate_rules"],
  });
  project.write(`${behavior}/3_discovery/instructions.md`, "Discover for {{bot}}, with {{unheard_of}}.");
  project.write(`${behavior}/3_discovery/rules/no_articles.json`, {
    description: "Begin with a verb.",
    examples: [{ do: "Reserve a table", dont: "The reservation" }],
    checks: [{ type: "must_not_match", pattern: "^The ", flags: "m", message: "begins with an article" }],
  });
  project.write(`${behavior}/shape/templates/map.md`, "# Map of {{product}}");
  project.write(
    ".waymark/standards/splitting.md",
    "# Splitting stories\n\nSplit a story by its rules, never by its layers.",
  );
  return project;
}

/** The same, with what does not belong to the story bot: another bot, an action nobody uses, one that base_bot hides, notes. */
export function makeProjectAmongOthers(): Project {
  const project = makeBotProject();
  project.write(".waymark/bots/other_bot/bot_config.json", { behaviors: ["secret"] });
  project.write(".waymark/bots/other_bot/behaviors/secret/instructions.md", "Not for others.");
  project.write(
    ".waymark/bots/base_bot/base_actions/render_output/action_config.json",
    project.json(".waymark/base_actions/render_output/action_config.json"),
  );
  project.write(
    ".waymark/bots/base_bot/base_actions/render_output/instructions.md",
    "Base instructions of render_output.",
  );
  project.write(".waymark/base_actions/unused/action_config.json", {
    name: "unused",
    workflow: true,
    order: 99,
    next_action: null,
  });
  project.write(".waymark/notes/plan.md", "Not a definition.");
  project.write(".waymark/bots/story_bot/.draft.md", "Left behind by an editor.");
  return project;
}

/** Generates a package, which must work. */
export async function generatePackage(
  project: Project,
  out: string,
  ...args: string[]
): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await runCli([
    "generate",
    "story_bot",
    "--root",
    project.root,
    "--out",
    out,
    "--json",
    ...args,
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

export type Generated = { readonly out: string; readonly report: Record<string, unknown> };

/**
 * Packages of the story bot among its neighbours, each made once for all tests of a file: to be read, not to be changed. The
 * project is gone after the first test that asks.
 */
export function sharedPackages(): (...args: string[]) => Promise<Generated> {
  const home = mkdtempSync(join(tmpdir(), "waymark-generated-"));
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  const made = new Map<string, Promise<Generated>>();
  const make = async (out: string, args: readonly string[]): Promise<Generated> => ({
    out,
    report: await generatePackage(makeProjectAmongOthers(), out, ...args),
  });
  return (...args) => {
    const key = args.join(" ");
    const found = made.get(key) ?? make(join(home, String(made.size), "package"), args);
    made.set(key, found);
    return found;
  };
}
