import { countText } from "../kit/count-text.ts";
import type { Move } from "../workflow/move.ts";
import type { Notice, Warning } from "../workflow/notice.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import { moveText } from "./move-text.ts";
import { definitionGoneText } from "./phase-refusals.ts";

/** Words everything a reply says besides its outcome. */
export function warningTexts(said: readonly Warning[], id: StreamId): string[] {
  return said.map((one) => (typeof one === "string" ? one : noticeText(one, id)));
}

/** Words a notice; files a person may have edited are called what the person calls them. */
export function noticeText(notice: Notice, id: StreamId): string {
  const state = id.run === undefined ? "workflow_state.json" : `workflow_state.json of run ${id.run}`;
  const file = id.kind === "bot" ? state : `${id.name}.json`;
  switch (notice.kind) {
    case "edit_obeyed":
      return `${file} was edited outside Waymark; the edit was applied and recorded.`;
    case "edit_refused":
      return `${file} was edited outside Waymark; the settings refuse edits, so it was restored.`;
    case "edit_undone":
      return `${file} was edited outside Waymark; edits have no effect there, so it was restored. The edited file is kept under .waymark/kept/.`;
    case "view_deleted":
      return notice.so === "restored"
        ? `${file} was deleted and has been restored.`
        : `${file} was deleted: starting over at the first action.`;
    case "view_unusable":
      return unusableViewText(notice, file);
    case "position_unknown":
      return notice.named === null
        ? `${file} has no current_action: starting at the first action of ${notice.workflow}.`
        : `${file} names ${notice.named}, which is not an action of ${notice.workflow}: starting at its first action.`;
    case "gate_unpassed":
      return notice.so === "stands open"
        ? `${notice.step} is still open: it has a gate, and an edit cannot pass a gate.`
        : `${notice.step} comes first: its gate has not passed, and an edit cannot pass a gate.`;
    case "opened_by_another":
      return `This connection did not open it: ${moveText(notice.by, id.kind)}.`;
    case "moved_by_others":
      return movedByOthersText(notice.moves, id);
    case "files_elsewhere":
      return `This run's worktree was added, moved or removed since the last call: its files now go ${notice.area === undefined ? "elsewhere" : `to ${notice.area}`}.`;
    case "run_shared":
      return `Several worktrees have branches that map to this run, so they share its position. Name a run for each, or rename a branch: ${notice.trees.join(", ")}.`;
    case "nothing_interrupted":
      return `Nothing was interrupted here: ${notice.step} starts now.`;
    case "earlier_unfinished":
      return `Earlier behaviors are not finished: ${notice.workflows.join(", ")}.`;
    case "focus_gone":
      return `${notice.workflow}, the current behavior until now, is no longer defined: starting at the first behavior.`;
    case "completed_gone":
      return `Completed here, but no longer in the definitions (renamed or removed): ${joinSome(notice.steps)}. Their records stay.`;
    case "definition_broken":
      return `${notice.problem.message} (${notice.problem.file}).`;
    case "successor_closed":
      return `${notice.step} is completed, but the next step is unknown: ${notice.problem.message} (${notice.problem.file}).`;
    case "definition_changed":
      return `The definition of ${notice.workflow} has changed since this session started; the session keeps the one it started with. A person can move it with waymark update.`;
    case "definition_gone":
      return definitionGoneText(notice.workflow);
    case "view_differs":
      return `${file} on disk differs from the history (${notice.found}); the next call resolves it.`;
    case "changed_outside":
      return `Changed while ${notice.step} was open, outside what it may change (${joinSome(notice.edits)}): ${joinSome(notice.files, notice.more)}. Tell the person, and undo what was not intended.`;
    case "changes_unknown":
      return `Waymark can't tell whether anything outside the edits of ${notice.step} was changed: ${notice.why}.`;
    case "set_aside":
      return forkedText(notice.count);
    case "finished_before":
      return `An earlier session, ${notice.session}, is finished${notice.last === undefined ? "" : ` (${moveText(notice.last, id.kind)})`}: this is a new one, starting at the first phase.`;
    case "history_unreadable":
      return `The history of session ${notice.desk} is missing or cannot be read: waymark verify shows what is wrong.`;
  }
}

/** Lists the first few names, each shortened, and counts the rest. */
function joinSome(names: readonly string[], more = 0): string {
  const shownNames = names.slice(0, mostNames).map((name) => (name.length > 60 ? `…${name.slice(-59)}` : name));
  const rest = names.length - shownNames.length + more;
  return `${shownNames.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

const mostNames = 5;

/** More moves than this are only counted. */
const mostMoves = 3;

function movedByOthersText(moves: readonly Move[], { kind }: StreamId): string {
  const shownMoves = moves.slice(-mostMoves).map((move) => moveText(move, kind));
  const more = moves.length - shownMoves.length;
  return `Others have worked here since your last call: ${more > 0 ? `${countText(more, "earlier step")}; ` : ""}${shownMoves.join("; ")}.`;
}

/** Says how many records do not count because the history forked in git. */
export function forkedText(count: number): string {
  const [what, names] = count === 1 ? ["1 record was", "it"] : [`${count} records were`, "them"];
  return `${what} set aside: this run continued on two git branches, and only one of them counts. Nothing is lost; waymark verify lists ${names}.`;
}

function unusableViewText({ why, detail, so }: Notice & { kind: "view_unusable" }, file: string): string {
  const what = {
    malformed: `is malformed (${detail})`,
    "names no workflow": "has no current_behavior",
    "names an unknown workflow": `names an unknown behavior, ${detail}`,
  }[why];
  const then =
    so === "restored" ? "it was restored from the history" : "starting at the first behavior and its first action";
  return `${file} ${what}; ${then}. The original file is kept under .waymark/kept/.`;
}
