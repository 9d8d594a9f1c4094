import type { StepStanding } from "../engine/standing.ts";
import { paint } from "./print.ts";
import type { BotStanding, ShownStep } from "./status-data.ts";

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
export function waitsFor({ waitingSince, turnedDown }: ShownStep): string {
  if (waitingSince !== undefined) return `a person's word since ${moment(waitingSince)} (waymark show)`;
  switch (turnedDown) {
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
      return "its results (complete_action)";
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
