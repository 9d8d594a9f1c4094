import type { StepStanding } from "../engine/standing.ts";
import { anyWord, isFormEnough } from "../evidence/approval.ts";
import { waitsForWhom } from "../words/approval.ts";
import { paint, plain } from "./print.ts";
import type { BotStanding, ShownStep, ShownTurn } from "./status-data.ts";

/** How a step's state is shown everywhere. */
export const marks: Readonly<Record<StepStanding["state"], string>> = {
  completed: "✓",
  vouched: "✓",
  skipped: "–",
  started: "▶",
  next: "○",
  waiting: "·",
};

/** The map of every behavior, a line for each step. */
export function statusLines({ workflows, focus }: BotStanding): string[] {
  return workflows.flatMap((workflow, index) => [
    ...(index === 0 ? [] : [""]),
    behaviorTitle(workflow, focus?.workflow),
    ...workflow.steps.map(stepLine),
  ]);
}

/** A behavior's name with what is to be said of it. */
export function behaviorTitle(
  { workflow, pass, finished }: BotStanding["workflows"][number],
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

/** What an open step waits for. */
export function waitsFor(step: ShownStep): string {
  const { waitingSince, checkingSince, turnedDown } = step;
  if (waitingSince !== undefined) return `${whoseWord(step)} since ${moment(waitingSince)} (waymark show)`;
  if (checkingSince !== undefined) return `its checks, under way since ${moment(checkingSince)}`;
  const said = turnedDownText(turnedDown);
  return said === undefined ? "its results (complete_action)" : `${said}${refusedText(step)}`;
}

/** Whose word a step waits for; just a person's, where anybody's will do. */
function whoseWord({ waitingFor: { needs, given } = { needs: anyWord, given: [] } }: ShownStep): string {
  const isAnybodys = isFormEnough(needs) && needs.level === "relayed";
  return isAnybodys ? "a person's word" : `the word of ${waitsForWhom(needs, given)}`;
}

/** How often a gate has said no, and to what; nothing where that is not to be said. */
export function refusedText({ refused = 0, stuck, missing = [], sameGaps }: RefusedStep): string {
  if (refused < 2 && missing.length === 0) return "";
  const named = missing.slice(0, mostNamed).map(plain).join(", ");
  const more = missing.length > mostNamed ? ` and ${missing.length - mostNamed} more` : "";
  const what = named === "" ? "" : `${sameGaps ? "the same was missing again" : "missing"}: ${named}${more}`;
  const often = refused < 2 ? "" : `${stuck ? "stuck, " : ""}refused ${refused} times`;
  return ` (${[often, what].filter((part) => part !== "").join("; ")})`;
}

/** What a run waits for, where that is to be said first. */
export function turnWords(turn: Omit<ShownTurn, "stands">): string | undefined {
  const { waiting_since, waiting_for = "a person", checking_since, refused, stuck, missing, same_gaps } = turn;
  if (waiting_since !== undefined) return `waits for ${waiting_for} since ${moment(waiting_since)}`;
  if (checking_since !== undefined) return `is being checked since ${moment(checking_since)}`;
  if (!stuck) return undefined;
  const step = {
    ...{ stuck, refused: refused ?? 0, missing: missing ?? [] },
    ...(same_gaps ? { sameGaps: true as const } : {}),
  };
  return refusedText(step).replace(/^ \((.*)\)$/, "$1");
}

/** What is said of the no of a gate. */
export type RefusedStep = Pick<ShownStep, "refused" | "stuck" | "missing" | "sameGaps">;

/** So much of what a gate lacks is named. */
const mostNamed = 4;

function turnedDownText(code: string | undefined): string | undefined {
  switch (code) {
    case "check_failed":
      return "what its rules and checks found to be mended";
    case "check_untrusted":
      return "a person to trust its commands (waymark trust)";
    case "incomplete_checkpoint":
      return "the evidence that its gate asks for";
    case "approval_rejected":
      return "more work: a person declined it";
    case "invalid_definition":
      return "its gate to be mended";
    default:
      return undefined;
  }
}

/** A time as people read it. */
export function moment(at: string): string {
  return at.replace("T", " ").slice(0, 16);
}

function stepLine(standing: ShownStep): string {
  const { step, state, since, waitingSince, turnedDown, stale } = standing;
  const when = since === undefined ? "" : `  ${moment(since)}`;
  const waits =
    waitingSince !== undefined ? ", handed in" : turnedDown === undefined ? "" : `, waits for ${waitsFor(standing)}`;
  const proof = stale === undefined ? "" : ", stale";
  const line = `  ${marks[state]} ${step}${state === "waiting" ? "" : `  ${state}${proof}${waits}`}${when}`;
  if (state === "started") return paint("green", line);
  return state === "waiting" ? paint("dim", line) : line;
}
