import type { OpenViewStep } from "../words/open-view.ts";
import type { OpenWork } from "./surroundings.ts";
import { clip, weigh } from "./weigh.ts";

/** How much of what others have named a card tells, in tokens: with its own words it stays below 300. */
const rooms = { path: 45, call: 40, globs: 40, target: 15, names: 110 };

/** Says where the work stands, what is open or comes next, and what to call; it costs at most 300 tokens. */
export function card(work: readonly OpenWork[]): string {
  const [first, second] = work;
  if (first === undefined) return "";
  const both = second === undefined ? [first] : [first, second];
  const told = both.length === 2 && weigh(both.flatMap(names).join("")) > rooms.names ? [first] : both;
  const more = work.length - told.length;
  return [
    "Waymark: your work here is under way.",
    ...told.flatMap(place),
    ...(more > 0 ? [`${more} more: waymark status lists them.`] : []),
    "Leave .waymark/, workflow_state.json and activity_log.json to Waymark.",
  ].join("\n");
}

/** The one line for a session that has not called Waymark. */
export function startLine(work: readonly OpenWork[]): string {
  const [first] = work;
  if (first === undefined) return "";
  const more = work.length > 1 ? ` and ${work.length - 1} more` : "";
  const state = first.steps.length > 0 ? "open here:" : "under way here, and nothing of it is open; next is";
  return `Waymark has work ${state} ${clip(nameOf(first), rooms.path)}${more}. To go on with it, call ${opening(first)}; for anything else work as usual.`;
}

/** Why a turn should not end yet. */
export function reminder(work: OpenWork, step: OpenViewStep): string {
  return `Waymark: ${clip(pathOf(work, step), rooms.path)} is still open. If its work is done, call ${completing(work, step)}; if it is not, go on with it. If you wait for the person or were told to stop here, say so and end your turn: this is said once for a step.`;
}

/** Why what is Waymark's own is not changed by hand. */
export function ownDenied(shown: string, work: OpenWork): string {
  return `Waymark: ${clip(shown, 60)} is Waymark's own and is not changed by hand. ${work.desk.kind === "bot" ? "Steps are" : "Phases are"} opened and completed with its tools: ${opening(work)} shows where the work stands.`;
}

/** Why a change outside what the open step may change is not made. */
export function outsideDenied(shown: string, work: OpenWork, step: OpenViewStep): string {
  return `Waymark: ${clip(shown, 60)} lies outside what ${clip(pathOf(work, step), rooms.path)} may change: ${globs(step)}. Finish that step first (${completing(work, step)}), or ask the person: edits stands in its gate file.`;
}

function place(work: OpenWork): string[] {
  const { steps, next, completed, session } = work;
  const [step] = steps;
  if (step === undefined)
    return next === undefined ? [] : [`Next: ${clip(nameOf(work), rooms.path)}. Call ${opening(work)} to open it.`];
  const attempt = step.attempt > 1 ? `, attempt ${step.attempt}` : "";
  const about =
    session === undefined ? `${completed} completed so far` : `of ${session.total} phases${target(session.target)}`;
  const others = steps.length > 1 ? ` ${steps.length - 1} more open beside it.` : "";
  return [
    `Open: ${clip(pathOf(work, step), rooms.path)} (since ${step.since.slice(0, 16)}Z${attempt}; ${about}).${others}`,
    step.waiting === undefined
      ? `Do its work, then call ${completing(work, step)}. For its instructions call ${opening(work)}.`
      : `It waits for a person's word: ask them, never answer for them. Then ${completing(work, step)}.`,
    ...(step.edits === undefined ? [] : [`While it is open, change only: ${globs(step)}`]),
  ];
}

/** The call that shows the open step again; half a name would be none, so one that is too long is not said. */
function opening({ desk: { kind, name, run } }: OpenWork): string {
  if (kind === "session") return isShort(name) ? `get_phase_content {"session_id": "${name}"}` : "get_phase_content";
  const tool = name.replace(/[^a-zA-Z0-9_-]/g, "_");
  if (!isShort(tool + (run ?? ""))) return run === undefined ? "the bot's tool" : "the bot's tool with its run";
  return run === undefined ? tool : `${tool} {"run": "${run}"}`;
}

function completing({ desk: { kind, name, run } }: OpenWork, { step }: OpenViewStep): string {
  if (kind === "session")
    return isShort(name + step)
      ? `complete_phase {"session_id": "${name}", "phase": ${step}, "evidence": …}`
      : "complete_phase";
  if (run === undefined) return "complete_action";
  return isShort(run) ? `complete_action {"run": "${run}", …}` : "complete_action with its run";
}

function isShort(name: string): boolean {
  return weigh(name) <= rooms.call;
}

/** Everything in a place that somebody else has named. */
function names(work: OpenWork): readonly string[] {
  const { steps, session } = work;
  const { name = "", run = "" } = work.desk.kind === "bot" ? work.desk : { name: work.desk.name };
  return [nameOf(work), name, name, run, run, steps[0]?.edits?.join(", ") ?? "", session?.target ?? ""];
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
  return file === null ? "" : ` for ${clip(file, rooms.target)}`;
}

function globs({ edits = [] }: OpenViewStep): string {
  return clip(edits.join(", "), rooms.globs);
}
