import { agoText } from "../../dashboard/overview/duration-text.ts";
import { evidenceCountText } from "../../dashboard/overview/evidence-text.ts";
import { oneLine, paint } from "../terminal/print.ts";
import { cutToWidth, visibleLength } from "../terminal/wrap.ts";
import type { BotStatus, ShownStep } from "./status-data.ts";
import { behaviorTitle, stateMarks } from "./status-lines.ts";

/** Formats a short map: one line per behavior, one mark per step, and the status of the current step. */
export function statusMap({ workflows, focus }: BotStatus, width: number, now = new Date()): string[] {
  const titles = workflows.map((workflow) => behaviorTitle(workflow, focus?.workflow));
  const left = Math.max(...titles.map(visibleLength), 0);
  const most = Math.max(...workflows.map(({ steps }) => steps.length), 0);
  return workflows.map(({ steps }, row) => {
    const title = titles[row] ?? "";
    const signs = steps.map(paintMark).join(" ");
    const used = 2 + left + 2 + 2 * most;
    const said = cutToWidth(
      currentStepText(steps, now),
      Number.isFinite(width) ? Math.max(10, width - used - 2) : 1000,
    );
    const map = `${signs}${" ".repeat(2 * (most - steps.length))}`;
    return `  ${title}${" ".repeat(left - visibleLength(title))}  ${map}  ${paintCurrentStep(steps, said)}`.trimEnd();
  });
}

/** Counts the steps that are done. */
export function progressText({ workflows, evidence }: BotStatus): string {
  const steps = workflows.flatMap((one) => one.steps);
  const done = steps.filter(
    ({ state }) => state === "completed" || state === "vouched" || state === "skipped" || state === "passed_over",
  );
  const proved = evidence === undefined ? "" : ` · ${evidenceCountText(evidence)}`;
  return `${done.length} of ${steps.length} actions done${proved}`;
}

/** Describes the current step, if it is open. */
function currentStepText(steps: readonly ShownStep[], now: Date): string {
  const at = steps.find(({ state }) => state === "started");
  if (at === undefined) return "";
  const { step, since, waitingSince, checkingSince, runnerChecks, stuck, refused = 0, client, blocked } = at;
  const name = oneLine(step);
  if (blocked !== undefined) return `‖ ${name} is blocked, ${agoText(waitingSince ?? "", now)}`;
  if (waitingSince !== undefined) return `‖ ${name} submitted ${agoText(waitingSince, now)} ago`;
  if (checkingSince !== undefined && runnerChecks !== undefined)
    return `▶ ${name} waits for a runner, ${agoText(checkingSince, now)}`;
  if (checkingSince !== undefined) return `▶ ${name} checks running, ${agoText(checkingSince, now)}`;
  if (stuck) return `✗ ${name} is stuck, refused ${refused} times`;
  const open = since === undefined ? "" : `, ${agoText(since, now)}`;
  return `${stateMarks.started} ${name} open${open}${client === undefined ? "" : `, ${oneLine(client)}`}`;
}

function paintCurrentStep(steps: readonly ShownStep[], text: string): string {
  const at = steps.find(({ state }) => state === "started");
  if (at?.waitingSince !== undefined) return paint("yellow", text);
  return at?.stuck ? paint("red", text) : paint("green", text);
}

function paintMark({ state, waitingSince, stuck, refused = 0, stale }: ShownStep): string {
  if (state === "started") {
    if (waitingSince !== undefined) return paint("yellow", "‖");
    return stuck ? paint("red", "✗") : paint("green", stateMarks.started);
  }
  if (stale !== undefined) return paint("yellow", stateMarks[state]);
  if (state === "completed" && refused > 0) return stateMarks.completed;
  return state === "waiting" ? paint("dim", stateMarks.waiting) : stateMarks[state];
}
