import { inColumns, paint, plain } from "./print.ts";
import { staleLine } from "./stale-lines.ts";
import { type Choosing, chosen } from "./status-choice.ts";
import type { ShownSession } from "./status-data.ts";
import { marks, moment, turnWords } from "./status-lines.ts";
import { wrap } from "./wrap.ts";

/** A line for each session that matters, or for all: what it is about, where it stands, and its id. The others are only counted. */
export function sessionLines(views: readonly ShownSession[], { all, width }: Choosing): string[] {
  if (views.length === 0) return [];
  const { shown, rest } = chosen(views, all);
  const rows = shown.map((view) => [
    `${view.workflow_complete ? marks.completed : marks.started} ${view.workflow_type}`,
    plain(
      [view.target_file, view.run === undefined ? null : `(run ${view.run})`].filter((part) => part !== null).join(" "),
    ),
    placeOf(view),
    moment(view.updated_at),
    view.session_id,
  ]);
  return [
    "Sessions",
    ...inColumns(rows).flatMap((line, at) => wrap(line, width, 6).map((one) => painted(shown[at], one))),
    ...rest,
    ...shown.flatMap(({ session_id, stale = [] }) =>
      stale.flatMap((one) => wrap(staleLine(`Phase ${one.phase} of ${session_id}`, one), width, 2)),
    ),
  ];
}

function painted(view: ShownSession | undefined, line: string): string {
  if (view === undefined || view.workflow_complete) return line;
  return paint(view.stuck ? "red" : view.waiting_since !== undefined ? "yellow" : "green", line);
}

function placeOf(view: ShownSession): string {
  const { workflow_complete, current_phase, total_phases, completed_phases, checkpoints, phase_name } = view;
  if (workflow_complete) return `complete (${total_phases} phases)`;
  const failed = checkpoints[current_phase] === "failed" ? "checkpoint not passed yet" : undefined;
  const said = turnWords(view) ?? failed;
  const named = phase_name === undefined ? "" : ` · ${plain(phase_name)}`;
  return `Phase ${current_phase}, ${completed_phases.length} of ${total_phases} done${said === undefined ? "" : `, ${said}`}${named}`;
}
