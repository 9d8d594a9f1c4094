import type { OpenViewStep } from "../../workflow/open-view.ts";
import type { OpenWork } from "./hook-context.ts";
import { clipToTokens, maxTokens } from "./token-limit.ts";

/** Token limits for names chosen by others, so that a card stays below 300 tokens. */
const tokenLimits = { path: 45, call: 40, globs: 40, target: 15, names: 110 };

/** Writes the card of open work: its position, what is open or next, and what to call, in at most 300 tokens. */
export function card(work: readonly OpenWork[]): string {
  const [first, second] = work;
  if (first === undefined) return "";
  const both = second === undefined ? [first] : [first, second];
  const shown =
    both.length === 2 && maxTokens(both.flatMap(namesByOthers).join("")) > tokenLimits.names ? [first] : both;
  const more = work.length - shown.length;
  return [
    "Waymark: you have work in progress here.",
    ...shown.flatMap(workLines),
    ...(more > 0 ? [`${more} more: see waymark status.`] : []),
    "Leave .waymark/, workflow_state.json and activity_log.json to Waymark.",
  ].join("\n");
}

/** The one line for a session that has not called Waymark. */
export function startLine(work: readonly OpenWork[]): string {
  const [first] = work;
  if (first === undefined) return "";
  const more = work.length > 1 ? ` and ${work.length - 1} more` : "";
  const state = first.steps.length > 0 ? "open here:" : "in progress here with no open step; next is";
  return `Waymark has work ${state} ${clipToTokens(currentStepName(first), tokenLimits.path)}${more}. To continue it, call ${openCall(first)}; otherwise work as usual.`;
}

/** The reminder of an open step at the end of a turn. */
export function reminder(work: OpenWork, step: OpenViewStep): string {
  return `Waymark: ${clipToTokens(pathOf(work, step), tokenLimits.path)} is still open. If its work is done, call ${completeCall(work, step)}; otherwise continue it. If you are waiting for the person or were told to stop, say so and end your turn. You get this reminder once per step.`;
}

/** The denial of a change to Waymark's own files. */
export function ownDenied(shown: string, work: OpenWork): string {
  return `Waymark: ${clipToTokens(shown, 60)} belongs to Waymark; do not change it by hand. Open and complete ${work.desk.kind === "bot" ? "steps" : "phases"} with its tools; ${openCall(work)} shows the current position.`;
}

/** The denial of a change outside the `edits` of the open step. */
export function outsideDenied(shown: string, work: OpenWork, step: OpenViewStep): string {
  return `Waymark: ${clipToTokens(shown, 60)} is outside what ${clipToTokens(pathOf(work, step), tokenLimits.path)} may change: ${globs(step)}. Finish that step first (${completeCall(work, step)}), or ask the person to change edits in its gate file.`;
}

function workLines(work: OpenWork): string[] {
  const { steps, next, completed, session } = work;
  const [step] = steps;
  if (step === undefined)
    return next === undefined
      ? []
      : [`Next: ${clipToTokens(currentStepName(work), tokenLimits.path)}. Call ${openCall(work)} to open it.`];
  const back = step.cameBackFrom === undefined ? "" : `, back from ${clipToTokens(step.cameBackFrom, 12)}`;
  const again = step.attempt > 1 ? `, attempt ${step.attempt}` : "";
  const attempt = `${step.round === undefined ? again : `, round ${step.round}`}${back}`;
  const about =
    session === undefined ? `${completed} completed so far` : `of ${session.total} phases${target(session.target)}`;
  const others = steps.length > 1 ? ` ${steps.length - 1} more open.` : "";
  return [
    `Open: ${clipToTokens(pathOf(work, step), tokenLimits.path)} (since ${step.since.slice(0, 16)}Z${attempt}; ${about}).${others}`,
    step.blocked !== undefined
      ? `Blocked: ${clipToTokens(step.blocked, tokenLimits.globs)} Ask the person to run ${responseCall(work, step)} in a terminal; you read it first when you call ${openCall(work)}.`
      : step.waiting === undefined
        ? `Do its work, then call ${completeCall(work, step)}. For instructions call ${openCall(work)}.`
        : `Waiting for approval: ask the person, never answer for them. Then ${completeCall(work, step)}.`,
    ...(step.edits === undefined ? [] : [`While it is open, change only: ${globs(step)}`]),
  ];
}

/** The call that shows the open step again; a name that is too long is left out rather than cut. */
function openCall({ desk: { kind, name, run } }: OpenWork): string {
  if (kind === "session") return isShort(name) ? `get_phase_content {"session_id": "${name}"}` : "get_phase_content";
  const tool = name.replace(/[^a-zA-Z0-9_-]/g, "_");
  if (!isShort(tool + (run ?? ""))) return run === undefined ? "the bot's tool" : "the bot's tool with its run";
  return run === undefined ? tool : `${tool} {"run": "${run}"}`;
}

/** The command with which a person answers a blocked step. */
function responseCall({ desk: { kind, name, run } }: OpenWork, { workflow, atBound }: OpenViewStep): string {
  const place = kind === "session" ? name : `${name}.${workflow}`;
  if (!isShort(place + (run ?? ""))) return atBound ? "waymark answer" : "waymark answer or waymark waive";
  const named = run === undefined ? place : `${place} --run ${run}`;
  if (atBound) return `waymark answer ${named} "TEXT" --again (or --continue)`;
  return `waymark answer ${named} "TEXT" (or waymark waive ${named} FIELD --reason "WHY")`;
}

function completeCall({ desk: { kind, name, run } }: OpenWork, { step }: OpenViewStep): string {
  if (kind === "session")
    return isShort(name + step)
      ? `complete_phase {"session_id": "${name}", "phase": ${step}, "evidence": …}`
      : "complete_phase";
  if (run === undefined) return "complete_action";
  return isShort(run) ? `complete_action {"run": "${run}", …}` : "complete_action with its run";
}

function isShort(name: string): boolean {
  return maxTokens(name) <= tokenLimits.call;
}

/** All names in an entry that others have chosen. */
function namesByOthers(work: OpenWork): readonly string[] {
  const { steps, session } = work;
  const { name = "", run = "" } = work.desk.kind === "bot" ? work.desk : { name: work.desk.name };
  return [currentStepName(work), name, name, run, run, steps[0]?.edits?.join(", ") ?? "", session?.target ?? ""];
}

function currentStepName(work: OpenWork): string {
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
  return file === null ? "" : ` for ${clipToTokens(file, tokenLimits.target)}`;
}

function globs({ edits = [] }: OpenViewStep): string {
  return clipToTokens(edits.join(", "), tokenLimits.globs);
}
