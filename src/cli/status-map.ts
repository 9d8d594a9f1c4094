import { agoText } from "../overview/duration.ts";
import { paint, plain } from "./print.ts";
import type { BotStanding, ShownStep } from "./status-data.ts";
import { behaviorTitle, marks } from "./status-lines.ts";
import { cut, visibleLength } from "./wrap.ts";

/** The map in little: a line for each behavior, a mark for each step, and how the step stands whose turn it is. */
export function statusMap({ workflows, focus }: BotStanding, width: number, now = new Date()): string[] {
  const titles = workflows.map((workflow) => behaviorTitle(workflow, focus?.workflow));
  const left = Math.max(...titles.map(visibleLength), 0);
  const most = Math.max(...workflows.map(({ steps }) => steps.length), 0);
  return workflows.map(({ steps }, row) => {
    const title = titles[row] ?? "";
    const signs = steps.map(paintedMark).join(" ");
    const used = 2 + left + 2 + 2 * most;
    const said = cut(turnText(steps, now), Number.isFinite(width) ? Math.max(10, width - used - 2) : 1000);
    const map = `${signs}${" ".repeat(2 * (most - steps.length))}`;
    return `  ${title}${" ".repeat(left - visibleLength(title))}  ${map}  ${paintedTurn(steps, said)}`.trimEnd();
  });
}

/** How many steps of how many are done. */
export function doneText({ workflows }: BotStanding): string {
  const steps = workflows.flatMap((one) => one.steps);
  const done = steps.filter(({ state }) => state === "completed" || state === "vouched" || state === "skipped");
  return `${done.length} of ${steps.length} actions done`;
}

/** What is said of the step whose turn it is, where somebody has opened it. */
function turnText(steps: readonly ShownStep[], now: Date): string {
  const at = steps.find(({ state }) => state === "started");
  if (at === undefined) return "";
  const { step, since, waitingSince, checkingSince, stuck, refused = 0, client } = at;
  const name = plain(step);
  if (waitingSince !== undefined) return `‖ ${name} handed in, ${agoText(waitingSince, now)}`;
  if (checkingSince !== undefined) return `▶ ${name} is being checked, ${agoText(checkingSince, now)}`;
  if (stuck) return `✗ ${name} is stuck, refused ${refused} times`;
  const open = since === undefined ? "" : `, ${agoText(since, now)}`;
  return `${marks.started} ${name} open${open}${client === undefined ? "" : `, ${plain(client)}`}`;
}

function paintedTurn(steps: readonly ShownStep[], text: string): string {
  const at = steps.find(({ state }) => state === "started");
  if (at?.waitingSince !== undefined) return paint("yellow", text);
  return at?.stuck ? paint("red", text) : paint("green", text);
}

function paintedMark({ state, waitingSince, stuck, refused = 0, stale }: ShownStep): string {
  if (state === "started") {
    if (waitingSince !== undefined) return paint("yellow", "‖");
    return stuck ? paint("red", "✗") : paint("green", marks.started);
  }
  if (stale !== undefined) return paint("yellow", marks[state]);
  if (state === "completed" && refused > 0) return marks.completed;
  return state === "waiting" ? paint("dim", marks.waiting) : marks[state];
}
