import { conditions } from "./conditions.ts";
import type { RowStep, RunRow } from "./run-row-data.ts";

/** Names the current step of a run and what it is waiting for, or how the run ended, in a few words. */
export function rowText({ now, outcome, stands }: RunRow): string {
  if (now !== undefined) return stepText(now);
  return outcome === undefined ? conditions[stands].badge : `Ended as ${outcome}`;
}

/** The condition of a run and, while it waits, what for. */
export function conditionText({ stands, now, answered }: RunRow): string {
  if (answered === true) return "Answered, waiting for the assistant";
  if (stands !== "waits") return conditions[stands].badge;
  return now?.blocked === undefined ? "Waiting for approval" : "Blocked";
}

/** Names an open step and what it is waiting for, in a few words. */
export function stepText(step: RowStep): string {
  const state = stateText(step);
  return `${step.label}${state === undefined ? "" : `: ${state}`}${roundText(step)}${itemsText(step)}`;
}

/** The round of a step from the second on, and the step that led back to it. */
function roundText({ round, cameBackFrom }: RowStep): string {
  if (round === undefined) return "";
  return `, round ${round}${cameBackFrom === undefined ? "" : ` (back from ${cameBackFrom})`}`;
}

/** How many items of a step are settled. */
function itemsText({ items }: RowStep): string {
  if (items === undefined) return "";
  const { settled, total, open, failed } = items;
  const left = [...(open > 0 ? [`${open} open`] : []), ...(failed > 0 ? [`${failed} not settled`] : [])];
  return `, ${settled} of ${total} items${left.length === 0 ? "" : ` (${left.join(", ")})`}`;
}

function stateText(step: RowStep): string | undefined {
  const { blocked, waitingSince, waitingFor, runnerChecks, checkingSince, answered } = step;
  if (blocked !== undefined) return "blocked";
  if (waitingSince !== undefined) return `waiting for ${approvalText(waitingFor)}`;
  if (runnerChecks !== undefined) return "waiting for a runner";
  if (checkingSince !== undefined) return "checks running";
  return answered === true ? "answered, waiting for the assistant" : refusedText(step);
}

/** An approval, with the people it takes if not anyone's will do. */
function approvalText(waitingFor = "a person"): string {
  return waitingFor === "a person" ? "approval" : `approval from ${waitingFor}`;
}

/** Says how often an open step has been refused, and why the last time; undefined if it was not. */
export function refusedText({ refused, missing = [], sameGaps, turnedDown }: RowStep): string | undefined {
  if (turnedDown === undefined) return undefined;
  const often = refused === undefined ? [] : [`refused ${timesText(refused)}`];
  if (missing.length === 0) return [...often, ...(reasons[turnedDown] ?? [])].join(", ") || undefined;
  const more = missing.length > 3 ? ` and ${missing.length - 3} more` : "";
  const last = `last for ${missing.slice(0, 3).join(", ")}${more}`;
  return [...often, last, ...(sameGaps ? ["same as before"] : [])].join(", ");
}

const reasons: Readonly<Record<string, readonly [string]>> = {
  check_failed: ["its rules or checks failed"],
  check_untrusted: ["a person must trust its commands (waymark trust)"],
  incomplete_checkpoint: ["the evidence its gate requires is missing"],
  approval_rejected: ["rejected by a person"],
  invalid_definition: ["its gate definition must be fixed"],
};

/** Formats a number of times: `once`, `twice`, `3 times`. */
export function timesText(number: number): string {
  return number === 1 ? "once" : number === 2 ? "twice" : `${number} times`;
}
