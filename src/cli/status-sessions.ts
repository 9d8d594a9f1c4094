import type { SessionView } from "../workflow/session-view.ts";
import { paint, plain } from "./print.ts";
import { marks } from "./status-lines.ts";

/** A line for each session: what it is about, where it stands, and its id. Those put away are only counted. */
export function sessionLines(views: readonly SessionView[]): string[] {
  const shown = views.filter(({ archived }) => archived !== true);
  if (views.length === 0) return [];
  const rows = shown.map((view) => [
    `${view.workflow_complete ? marks.completed : marks.started} ${view.workflow_type}`,
    plain(view.target_file ?? ""),
    placeOf(view),
    view.updated_at.replace("T", " ").slice(0, 16),
    view.session_id,
  ]);
  const widths = rows.reduce<number[]>((most, row) => row.map((cell, at) => Math.max(most[at] ?? 0, cell.length)), []);
  const away = views.length - shown.length;
  return [
    "Sessions",
    ...rows.map((row, at) => {
      const line = `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd();
      return shown[at]?.workflow_complete === true ? line : paint("green", line);
    }),
    ...(away === 0 ? [] : [paint("dim", `  ${away} archived`)]),
  ];
}

function placeOf({
  workflow_complete,
  current_phase,
  total_phases,
  completed_phases,
  checkpoints,
}: SessionView): string {
  if (workflow_complete) return `complete (${total_phases} phases)`;
  const turnedDown = checkpoints[current_phase] === "failed" ? ", checkpoint not passed yet" : "";
  return `Phase ${current_phase}, ${completed_phases.length} of ${total_phases} done${turnedDown}`;
}
