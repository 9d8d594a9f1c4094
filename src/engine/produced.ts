import type { Desk, Run, StepState } from "../workflow/desk.ts";
import type { ContentRecord, StepRef } from "../workflow/events.ts";
import type { JsonObject } from "../workflow/json.ts";
import type { Plan } from "../workflow/workflow.ts";
import type { CheckedFile, ContentKeeper, Produced } from "./ports.ts";

/** What every satisfied step of the latest passes handed in, in the order of the plan. */
export function producedSoFar(plan: Plan, desk: Desk): Produced[] {
  return plan.workflows.flatMap(({ name }) => {
    const run = desk.runs.get(name);
    if (run === undefined) return [];
    return [...run.steps].flatMap(([step, state]) =>
      state.status === "completed" ? [produced(plan, run, step, state)] : [],
    );
  });
}

function produced(plan: Plan, run: Run, step: string, { handed, attempt }: StepState): Produced {
  const path = recordPath(plan.name, { workflow: run.workflow, pass: run.pass, step, attempt });
  const content = handed.content ?? [];
  return {
    workflow: run.workflow,
    step,
    content: content.filter((item) => item.path !== path),
    ...(handed.outputs === undefined ? {} : { outputs: handed.outputs }),
    ...(content.some((item) => item.path === path) ? { record: path } : {}),
  };
}

/** Where the readable file of what a step handed in stands, one for each attempt. */
export function recordPath(bot: string, { workflow, pass, step, attempt }: StepRef): string {
  const suffix = `${pass > 1 ? `-pass${pass}` : ""}${attempt > 1 ? `-attempt${attempt}` : ""}`;
  const folder = [bot, workflow].map((part) => part.replace(/[^\w-]/g, "_")).join("/");
  return `${folder}/${step.replace(/[^\w-]/g, "_")}${suffix}.md`;
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

/** Every file on record that the rules of a workflow may look at, as it stands now. */
export async function filesOnRecord(
  keeper: ContentKeeper,
  plan: Plan,
  desk: Desk,
  workflow: string,
  handedInNow: { readonly ref: StepRef; readonly records: readonly ContentRecord[] } | null,
): Promise<CheckedFile[]> {
  const files = new Map<string, CheckedFile>();
  const add = async (ref: StepRef, records: readonly ContentRecord[]): Promise<void> => {
    const record = recordPath(plan.name, ref);
    for (const file of await keeper.read(ref, records)) {
      const isOwn = ref.workflow === workflow && file.path !== record;
      files.set(file.path, { ...file, own: files.get(file.path)?.own === true || isOwn });
    }
  };
  for (const run of desk.runs.values()) {
    for (const [step, { attempt, handed, status }] of run.steps) {
      if (status === "superseded" || handed.content === undefined) continue;
      await add({ workflow: run.workflow, pass: run.pass, step, attempt }, handed.content);
    }
  }
  if (handedInNow !== null) await add(handedInNow.ref, handedInNow.records);
  return [...files.values()];
}
