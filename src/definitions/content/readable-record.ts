import type { Definitions } from "../../engine/ports/definitions.ts";
import type { JsonObject } from "../../kit/json.ts";
import type { StepRef } from "../../workflow/events.ts";

/** The readable file of each submission of a bot or of one of its named runs, one per attempt. */
export function readableRecord(bot: string, run: string | undefined): NonNullable<Definitions["record"]> {
  const folder = run === undefined ? plainName(bot) : `${plainName(bot)}/${folderOf(run)}`;
  return { path: (ref) => `${folder}/${recordPath(ref)}`, text: recordText };
}

/** Globs of the readable files of a bot, for all its runs. */
export function recordsOf(bot: string, workflows: readonly string[]): readonly string[] {
  return workflows.map((workflow) => `${plainName(bot)}/**/${plainName(workflow)}/*.md`);
}

/** The folder of a run, named so that it cannot collide with a record of another run. */
function folderOf(run: string): string {
  return run.replace(/\.md(?=\/|$)/g, "%2Emd");
}

function recordPath({ workflow, pass, step, attempt }: StepRef): string {
  const suffix = `${pass > 1 ? `-pass${pass}` : ""}${attempt > 1 ? `-attempt${attempt}` : ""}`;
  return `${[workflow, step].map(plainName).join("/")}${suffix}.md`;
}

/** A name that any file system accepts; letters and digits of every script stay, so names stay distinct. */
function plainName(name: string): string {
  return name.replace(/[^\p{L}\p{M}\p{N}_-]/gu, "_");
}

/** Formats a submission as Markdown for people. */
function recordText({ workflow, step }: StepRef, outputs: JsonObject): string {
  const parts = Object.entries(outputs).map(([key, value]) => `## ${heading(key)}\n\n${markdown(value)}\n`);
  return `# ${heading(step)} (${workflow})\n\n${parts.join("\n")}`;
}

function markdown(value: unknown, indent = ""): string {
  if (Array.isArray(value)) return value.map((item) => `${indent}- ${nested(item, indent)}`).join("\n");
  if (typeof value === "object" && value !== null) {
    return Object.entries(value)
      .map(([key, item]) => `${indent}- **${heading(key)}**: ${nested(item, indent)}`)
      .join("\n");
  }
  return String(value);
}

function nested(value: unknown, indent: string): string {
  const isBranch = typeof value === "object" && value !== null && Object.keys(value).length > 0;
  if (isBranch) return `\n${markdown(value, `${indent}  `)}`;
  return typeof value === "object" && value !== null ? "none" : String(value).replaceAll("\n", `\n${indent}  `);
}

function heading(key: string): string {
  const words = key.replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
