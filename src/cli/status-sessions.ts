import { inColumns, paint, plain } from "./print.ts";
import { staleLine } from "./stale-lines.ts";
import type { ShownSession } from "./status-data.ts";
import { marks, moment } from "./status-lines.ts";

/** A line for each session: what it is about, where it stands, and its id. Those put away are only counted. */
export function sessionLines(views: readonly ShownSession[]): string[] {
  const shown = views.filter(({ archived }) => archived !== true);
  if (views.length === 0) return [];
  const rows = shown.map((view) => [
    `${view.workflow_complete ? marks.completed : marks.started} ${view.workflow_type}`,
    plain(
      [view.target_file, view.run === undefined ? null : `(run ${view.run})`].filter((part) => part !== null).join(" "),
    ),
    placeOf(view),
    moment(view.updated_at),
    view.session_id,
  ]);
  const away = views.length - shown.length;
  return [
    "Sessions",
    ...inColumns(rows).map((line, at) => (shown[at]?.workflow_complete === true ? line : paint("green", line))),
    ...(away === 0 ? [] : [paint("dim", `  ${away} archived`)]),
    ...shown.flatMap(({ session_id, stale = [] }) =>
      stale.map((one) => staleLine(`Phase ${one.phase} of ${session_id}`, one)),
    ),
  ];
}

function placeOf({
  workflow_complete,
  current_phase,
  total_phases,
  completed_phases,
  checkpoints,
  waiting_since,
}: ShownSession): string {
  if (workflow_complete) return `complete (${total_phases} phases)`;
  const failed = checkpoints[current_phase] === "failed" ? ", checkpoint not passed yet" : "";
  const waits = waiting_since === undefined ? failed : `, waits for a person since ${moment(waiting_since)}`;
  return `Phase ${current_phase}, ${completed_phases.length} of ${total_phases} done${waits}`;
}
