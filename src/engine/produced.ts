import type { Desk, StepState } from "../workflow/desk.ts";
import type { StepRef } from "../workflow/events.ts";
import type { JsonObject } from "../workflow/json.ts";
import { refOf } from "../workflow/refusals.ts";
import type { Plan } from "../workflow/workflow.ts";
import type { Definitions, Produced } from "./ports.ts";

type RecordPath = Definitions["recordPath"];

/** What every completed step of the latest passes handed in, in the order of the plan. */
export function producedSoFar(plan: Plan, desk: Desk, recordPath: RecordPath): Produced[] {
  return plan.workflows.flatMap(({ name }) => {
    const run = desk.runs.get(name);
    if (run === undefined) return [];
    return [...run.steps].flatMap(([step, state]) =>
      state.status === "completed" ? [produced(refOf(run, step), state, recordPath)] : [],
    );
  });
}

function produced(ref: StepRef, { handed }: StepState, recordPath: RecordPath): Produced {
  const path = recordPath(ref);
  const content = handed.content ?? [];
  return {
    workflow: ref.workflow,
    step: ref.step,
    content: content.filter((item) => item.path !== path),
    ...(handed.outputs === undefined ? {} : { outputs: handed.outputs }),
    ...(path !== undefined && content.some((item) => item.path === path) ? { record: path } : {}),
  };
}

/** Writes what was handed in as Markdown that a person reads without us. */
export function recordText({ workflow, step }: StepRef, outputs: JsonObject): string {
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
