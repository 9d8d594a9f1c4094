import { alignColumns, oneLine, paint } from "../terminal/print.ts";
import { wrap } from "../terminal/wrap.ts";
import { staleLine } from "./stale-lines.ts";
import type { ShownSession } from "./status-data.ts";
import { shortTime, stateMarks, waitingText } from "./status-lines.ts";
import { type DisplayOptions, pickRuns } from "./status-pick.ts";

/** Formats a line for each session that needs attention, or for all, and counts the others. */
export function sessionLines(views: readonly ShownSession[], { all, width }: DisplayOptions): string[] {
  if (views.length === 0) return [];
  const { shown, rest } = pickRuns(views, all);
  const rows = shown.map((view) => [
    `${view.workflow_complete ? stateMarks.completed : stateMarks.started} ${view.workflow_type}`,
    oneLine(
      [view.target_file, view.run === undefined ? null : `(run ${view.run})`].filter((part) => part !== null).join(" "),
    ),
    sessionPosition(view),
    shortTime(view.updated_at),
    view.session_id,
  ]);
  return [
    "Sessions",
    ...alignColumns(rows).flatMap((line, at) => wrap(line, width, 6).map((one) => paintSession(shown[at], one))),
    ...rest,
    ...shown.flatMap(({ session_id, stale = [] }) =>
      stale.flatMap((one) => wrap(staleLine(`Phase ${one.phase} of ${session_id}`, one), width, 2)),
    ),
  ];
}

function paintSession(view: ShownSession | undefined, line: string): string {
  if (view === undefined || view.workflow_complete) return line;
  return paint(view.stuck ? "red" : view.waiting_since !== undefined ? "yellow" : "green", line);
}

function sessionPosition(view: ShownSession): string {
  const { workflow_complete, current_phase, total_phases, completed_phases, checkpoints, phase_name } = view;
  if (workflow_complete) return `complete (${total_phases} phases)`;
  const failed = checkpoints[current_phase] === "failed" ? "checkpoint not passed yet" : undefined;
  const said = waitingText(view) ?? failed;
  const named = phase_name === undefined ? "" : ` · ${oneLine(phase_name)}`;
  return `Phase ${current_phase}, ${completed_phases.length} of ${total_phases} done${said === undefined ? "" : `, ${said}`}${named}`;
}
