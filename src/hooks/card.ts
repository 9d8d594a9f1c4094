import type { OpenViewStep } from "../words/open-view.ts";
import type { OpenWork } from "./surroundings.ts";

/** Says where the work stands, what is open or comes next, and what to call; it costs at most 300 tokens. */
export function card(work: readonly OpenWork[]): string {
  const [first, second] = work;
  if (first === undefined) return "";
  const told = [first, ...(second === undefined ? [] : [second])];
  const more = work.length - told.length;
  return [
    "Waymark: your work here is under way.",
    ...told.flatMap((one) => place(one, told.length)),
    ...(more > 0 ? [`${more} more: waymark status lists them.`] : []),
    "Leave .waymark/, workflow_state.json and activity_log.json to Waymark.",
  ].join("\n");
}

/** The one line for a session that has not called Waymark. */
export function startLine(work: readonly OpenWork[]): string {
  const [first] = work;
  if (first === undefined) return "";
  const more = work.length > 1 ? ` and ${work.length - 1} more` : "";
  return `Waymark has work open here: ${clip(nameOf(first), 120)}${more}. To go on with it, call ${opening(first)}; for anything else work as usual.`;
}

/** Why a turn should not end yet. */
export function reminder(work: OpenWork, step: OpenViewStep): string {
  return `Waymark: ${clip(pathOf(work, step), 120)} is still open. If its work is done, call ${completing(work, step)}; if it is not, go on with it. If you wait for the person or were told to stop here, say so and end your turn: this is said once for a step.`;
}

/** Why what is Waymark's own is not changed by hand. */
export function ownDenied(shown: string, work: OpenWork): string {
  return `Waymark: ${clip(shown, 100)} is Waymark's own and is not changed by hand. ${work.desk.kind === "bot" ? "Steps are" : "Phases are"} opened and completed with its tools: ${opening(work)} shows where the work stands.`;
}

/** Why a change outside what the open step may change is not made. */
export function outsideDenied(shown: string, work: OpenWork, step: OpenViewStep): string {
  return `Waymark: ${clip(shown, 100)} lies outside what ${clip(pathOf(work, step), 100)} may change: ${globs(step)}. Finish that step first (${completing(work, step)}), or ask the person: edits stands in its gate file.`;
}

function place(work: OpenWork, of: number): string[] {
  const { steps, next, completed, session } = work;
  const [step] = steps;
  if (step === undefined)
    return next === undefined ? [] : [`Next: ${clip(nameOf(work), 140)}. Call ${opening(work)} to open it.`];
  const attempt = step.attempt > 1 ? `, attempt ${step.attempt}` : "";
  const about =
    session === undefined ? `${completed} completed so far` : `of ${session.total} phases${target(session.target)}`;
  const others = steps.length > 1 ? ` ${steps.length - 1} more open beside it.` : "";
  return [
    `Open: ${clip(pathOf(work, step), 140)} (since ${step.since.slice(0, 16)}Z${attempt}; ${about}).${others}`,
    step.waiting === undefined
      ? `Do its work, then call ${completing(work, step)}. For its instructions call ${opening(work)}.`
      : `It waits for a person's word: ask them, never answer for them. Then ${completing(work, step)}.`,
    ...(step.edits === undefined ? [] : [`While it is open, change only: ${globs(step, of > 1 ? 120 : 240)}`]),
  ];
}

/** The call that shows the open step again. */
function opening({ desk: { kind, name, run } }: OpenWork): string {
  if (kind === "session") return `get_phase_content {"session_id": "${name}"}`;
  const tool = name.replace(/[^a-zA-Z0-9_-]/g, "_");
  return run === undefined ? tool : `${tool} {"run": "${run}"}`;
}

function completing({ desk: { kind, name, run } }: OpenWork, { step }: OpenViewStep): string {
  if (kind === "session") return `complete_phase {"session_id": "${name}", "phase": ${step}, "evidence": …}`;
  return run === undefined ? "complete_action" : `complete_action {"run": "${run}", …}`;
}

function nameOf(work: OpenWork): string {
  const [step] = work.steps;
  return pathOf(work, step ?? work.next ?? { workflow: "", step: "" });
}

function pathOf(
  { desk: { kind, name, run } }: OpenWork,
  { workflow, step }: Pick<OpenViewStep, "workflow" | "step">,
): string {
  if (kind === "session") return `phase ${step} of ${workflow}`;
  return `${name}.${workflow}.${step}${run === undefined ? "" : ` (run ${run})`}`;
}

function target(file: string | null): string {
  return file === null ? "" : ` for ${clip(file, 60)}`;
}

function globs({ edits = [] }: OpenViewStep, room = 240): string {
  return clip(edits.join(", "), room);
}

function clip(text: string, room: number): string {
  return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
}
