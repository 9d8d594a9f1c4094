import { evidenceCountText } from "../../dashboard/overview/evidence-text.ts";
import { defined } from "../../kit/defined.ts";
import { localTime } from "../../kit/local-time.ts";
import { oneLine } from "../terminal/print.ts";
import type { ShownSession } from "./status-data.ts";
import { itemsText, roundText, waitingText } from "./status-lines.ts";
import { type DisplayOptions, listLines, runMark } from "./status-pick.ts";

/** Formats a line for each session that needs attention, or for all, and counts the others; the id where the target does not name one session. */
export function sessionLines(views: readonly ShownSession[], choosing: DisplayOptions): string[] {
  const named = new Map<string, number>();
  for (const { target_file: target } of views) if (target !== null) named.set(target, (named.get(target) ?? 0) + 1);
  const isOfOne = new Set(views.map(({ workflow_type: type }) => type)).size === 1;
  return listLines("Sessions", views, choosing, (view) => {
    const { target_file: target, workflow_type: type, run, session_id } = view;
    const name = oneLine([target ?? type, ...(run === undefined ? [] : [`(run ${run})`])].join(" "));
    return {
      cells: [
        `${runMark(view.stands)} ${name}`,
        ...(choosing.all || !isOfOne ? [target === null ? "" : oneLine(type)] : []),
        `${sessionPosition(view)}${evidenceOf(view)}`,
        localTime(view.waiting_since ?? view.updated_at),
        ...(choosing.all || target === null || named.get(target) !== 1 ? [session_id] : []),
      ],
      isOpen: !view.workflow_complete,
      stale: (view.stale ?? []).map((one) => [`Phase ${one.phase} of ${session_id}`, one]),
    };
  });
}

function evidenceOf({ evidence }: ShownSession): string {
  const said = evidence === undefined ? "no evidence" : evidenceCountText(evidence);
  return said === "no evidence" ? "" : ` · ${said}`;
}

function sessionPosition(view: ShownSession): string {
  const { workflow_complete, current_phase, total_phases, completed_phases, checkpoints, phase_name, outcome } = view;
  if (outcome !== undefined) return `ended as ${oneLine(outcome)} in Phase ${current_phase}`;
  if (workflow_complete) return `complete (${total_phases} phases)`;
  const failed = checkpoints[current_phase] === "failed" ? "checkpoint not passed yet" : undefined;
  const said = waitingText(view) ?? failed;
  const named = phase_name === undefined ? "" : ` · ${oneLine(phase_name)}`;
  const { round, came_back_from: cameBackFrom } = view;
  const again = roundText(defined({ round, cameBackFrom }));
  return `Phase ${current_phase}, ${completed_phases.length} of ${total_phases} done${again}${itemsText(view)}${said === undefined ? "" : `, ${said}`}${named}`;
}
