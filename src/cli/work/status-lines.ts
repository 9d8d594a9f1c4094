import type { StepStatus } from "../../engine/run-status.ts";
import { anyApproval, isFormEnough } from "../../gates/approval-rule.ts";
import { localTime } from "../../kit/local-time.ts";
import { approvalWaitText } from "../../messages/approval-texts.ts";
import { oneLine, paint } from "../terminal/print.ts";
import type { BotStatus, ShownCurrentStep, ShownStep } from "./status-data.ts";

/** The symbol for each state of a step. */
export const stateMarks: Readonly<Record<StepStatus["state"], string>> = {
  completed: "✓",
  vouched: "✓",
  skipped: "–",
  passed_over: "–",
  started: "▶",
  next: "○",
  waiting: "·",
};

/** Formats the map of every behavior, one line per step. */
export function statusLines({ workflows, focus }: BotStatus): string[] {
  return workflows.flatMap((workflow, index) => [
    ...(index === 0 ? [] : [""]),
    behaviorTitle(workflow, focus?.workflow),
    ...workflow.steps.map(stepLine),
  ]);
}

/** Formats a behavior's name with its notes. */
export function behaviorTitle(
  { workflow, pass, finished }: BotStatus["workflows"][number],
  focus: string | undefined,
): string {
  const notes = [
    ...(focus === workflow ? ["current"] : []),
    ...(finished ? ["finished"] : []),
    ...(pass > 1 ? [`pass ${pass}`] : []),
  ];
  const title = notes.length === 0 ? workflow : `${workflow} (${notes.join(", ")})`;
  return focus === workflow ? paint("cyan", title) : title;
}

/** Describes what an open step is waiting for. */
export function waitingForText(step: ShownStep): string {
  const { waitingSince, checkingSince, runnerChecks, turnedDown, blocked } = step;
  if (blocked !== undefined) return "an answer: it is blocked (see waymark show)";
  if (waitingSince !== undefined) return `${approvalText(step)} since ${localTime(waitingSince)} (see waymark show)`;
  if (checkingSince !== undefined && runnerChecks !== undefined)
    return `a runner since ${localTime(checkingSince)}, to run ${runnerChecks.join(", ")}`;
  if (checkingSince !== undefined) return `its checks, running since ${localTime(checkingSince)}`;
  const said = refusalHint(turnedDown);
  return said === undefined ? "its results (complete_action)" : `${said}${refusedText(step)}`;
}

/** Names the approval that a step waits for. */
function approvalText({ waitingFor: { needs, given } = { needs: anyApproval, given: [] } }: ShownStep): string {
  const isAnybodys = isFormEnough(needs) && needs.level === "relayed";
  return isAnybodys ? "approval" : `approval from ${approvalWaitText(needs, given)}`;
}

/** Describes how often a gate has refused and what was missing, or returns "". */
export function refusedText({ refused = 0, stuck, missing = [], sameGaps }: RefusedStep): string {
  if (refused < 2 && missing.length === 0) return "";
  const named = missing.slice(0, maxMissingNamed).map(oneLine).join(", ");
  const more = missing.length > maxMissingNamed ? ` and ${missing.length - maxMissingNamed} more` : "";
  const what = named === "" ? "" : `${sameGaps ? "still missing" : "missing"}: ${named}${more}`;
  const often = refused < 2 ? "" : `${stuck ? "stuck, " : ""}refused ${refused} times`;
  return ` (${[often, what].filter((part) => part !== "").join("; ")})`;
}

/** Describes what a run is waiting for, if that should come first; its time is in a column of its own. */
export function waitingText(turn: Omit<ShownCurrentStep, "stands">): string | undefined {
  const { waiting_since, waiting_for = "a person", checking_since, refused, stuck, missing, same_gaps } = turn;
  if (turn.blocked !== undefined) return "blocked";
  if (waiting_since !== undefined)
    return `waiting for approval${waiting_for === "a person" ? "" : ` from ${waiting_for}`}`;
  if (checking_since !== undefined) return "checks running";
  if (!stuck) return undefined;
  const step = {
    ...{ stuck, refused: refused ?? 0, missing: missing ?? [] },
    ...(same_gaps ? { sameGaps: true as const } : {}),
  };
  return refusedText(step).replace(/^ \((.*)\)$/, "$1");
}

/** The parts of a step that describe its refusals. */
export type RefusedStep = Pick<ShownStep, "refused" | "stuck" | "missing" | "sameGaps">;

/** The number of missing fields named. */
const maxMissingNamed = 4;

function refusalHint(code: string | undefined): string | undefined {
  switch (code) {
    case "check_failed":
      return "fixes: its rules or checks failed";
    case "check_untrusted":
      return "a person to trust its commands (waymark trust)";
    case "incomplete_checkpoint":
      return "the evidence its gate requires";
    case "approval_rejected":
      return "changes: a person rejected it";
    case "invalid_definition":
      return "a fix to its gate definition";
    default:
      return undefined;
  }
}

/** Formats how many items of a step are settled, or returns "". */
export function itemsText({ items }: Pick<ShownCurrentStep, "items">): string {
  if (items === undefined) return "";
  const open = [
    ...(items.open > 0 ? [`${items.open} open`] : []),
    ...(items.failed > 0 ? [`${items.failed} not settled`] : []),
  ];
  return `, ${items.settled} of ${items.total} items${open.length === 0 ? "" : ` (${open.join(", ")})`}`;
}

/** The round of a step from the second on, and the step that led back to it. */
export function roundText({ round, cameBackFrom }: Pick<StepStatus, "round" | "cameBackFrom">): string {
  const back = cameBackFrom === undefined ? "" : ` (back from ${oneLine(cameBackFrom)})`;
  return round === undefined ? "" : `, round ${round}${back}`;
}

function stepLine(status: ShownStep): string {
  const { step, state, since, waitingSince, turnedDown, stale, blocked } = status;
  const when = since === undefined ? "" : `  ${localTime(since)}`;
  const waits =
    waitingSince !== undefined
      ? blocked === undefined
        ? ", submitted"
        : ", blocked"
      : turnedDown === undefined
        ? ""
        : `, waiting for ${waitingForText(status)}`;
  const proof = stale === undefined ? "" : ", stale";
  const said =
    state === "waiting" ? "" : `  ${state.replace("_", " ")}${proof}${waits}${roundText(status)}${itemsText(status)}`;
  const line = `  ${stateMarks[state]} ${step}${said}${when}`;
  if (state === "started") return paint("green", line);
  return state === "waiting" ? paint("dim", line) : line;
}
