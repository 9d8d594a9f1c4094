import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { callPhase } from "../phased.ts";
import type { Answer, Window } from "../window.ts";

const home = join(import.meta.dirname, "../..");

/** The worked example, and the templates that `waymark init` scaffolds from. */
export const teaShop = join(home, "examples/tea-shop");
export const templates = join(home, "templates");

/** What an assistant hands in at one action of the walk. */
export type WalkStep = {
  readonly behavior: string;
  readonly action: string;
  readonly handed: Record<string, unknown> & { readonly content?: readonly { path: string; text: string }[] };
};

/** The behaviors of the story bot, in order. */
export const behaviors: readonly string[] = JSON.parse(
  readFileSync(join(templates, "story-bot/bots/story_bot/bot_config.json"), "utf8"),
).behaviors;

/** Reads the walk of the tea shop: every behavior, every action, with the texts of the files that are handed in. */
export function readWalk(): WalkStep[] {
  return behaviors.flatMap((behavior) =>
    readdirSync(join(teaShop, "walk", behavior))
      .sort()
      .map((name) => {
        const { content, ...rest } = JSON.parse(readFileSync(join(teaShop, "walk", behavior, name), "utf8"));
        const files = content?.map(({ path, file }: { path: string; file: string }) => ({ path, text: example(file) }));
        const action = name.replace(/^\d+_|\.json$/g, "");
        return { behavior, action, handed: { ...rest, ...(files === undefined ? {} : { content: files }) } };
      }),
  );
}

/** A file of the example. */
export function example(file: string): string {
  return readFileSync(join(teaShop, file), "utf8");
}

/** Every file below a folder, by its path from there. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/** A project of its own for one test, scaffolded from a template. */
export function projectFrom(template: string): string {
  const root = mkdtempSync(join(tmpdir(), "waymark-example-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(join(templates, template), join(root, ".waymark"), { recursive: true });
  return root;
}

/** Works on every item of the open action of a behavior, as an assistant does. */
export async function walkItems(window: Window, behavior: string, { items }: Answer): Promise<void> {
  const evidence = {
    "1": { scenarios: 5, uncovered: 0 },
    "2": { unclear: [] },
    tests: { tests: 5, unaccounted: 0 },
  };
  for (const item of Array.isArray(items?.ready) ? items.ready : []) {
    const started = await callPhase(window, "start_workflow", { session_id: `story_bot.${behavior}`, item });
    for (let phase = 1; phase <= started.total_phases; phase++)
      await callPhase(window, "complete_phase", {
        session_id: started.session_id,
        phase,
        evidence: behavior === "tests" ? evidence.tests : evidence[phase === 1 ? "1" : "2"],
      });
  }
}
