import type { DeskId } from "../engine/ports.ts";
import type { Move } from "../workflow/desk.ts";
import type { Notice, Said } from "../workflow/notice.ts";
import { moveInWords } from "./move.ts";
import { definitionGoneText } from "./phases.ts";

/** Everything that is to be said beside an answer, in words. */
export function saidInWords(said: readonly Said[], id: DeskId): string[] {
  return said.map((one) => (typeof one === "string" ? one : noticeInWords(one, id)));
}

/** Puts a notice into words; what a person may have edited is named as they know it. */
export function noticeInWords(notice: Notice, id: DeskId): string {
  const state = id.run === undefined ? "workflow_state.json" : `workflow_state.json of run ${id.run}`;
  const file = id.kind === "bot" ? state : `${id.name}.json`;
  switch (notice.kind) {
    case "edit_obeyed":
      return `${file} was edited outside Waymark; the edit is obeyed and on record.`;
    case "edit_refused":
      return `${file} was edited outside Waymark; the settings refuse that, so it has been restored.`;
    case "edit_undone":
      return `${file} was changed outside Waymark; that moves nothing, and it has been restored. What stood there is kept under .waymark/kept/.`;
    case "view_deleted":
      return notice.so === "restored"
        ? `${file} was deleted; it has been restored.`
        : `${file} was deleted: this is a new beginning at the first action.`;
    case "view_unusable":
      return unusable(notice, file);
    case "position_unknown":
      return notice.named === null
        ? `${file} has no current_action: starting at the first action of ${notice.workflow}.`
        : `${file} names ${notice.named}, which is not an action of ${notice.workflow}: starting at its first action.`;
    case "gate_unpassed":
      return notice.so === "stands open"
        ? `${notice.step} has a gate, which an edit cannot pass: it stands open.`
        : `${notice.step} has a gate that is not passed, and an edit cannot pass it: it comes first.`;
    case "opened_by_another":
      return `This connection had not opened it: ${moveInWords(notice.by, id.kind)}.`;
    case "moved_by_others":
      return movedByOthers(notice.moves, id);
    case "files_elsewhere":
      return `The work tree of this run has been added, moved or removed since the last call: its files go ${notice.area === undefined ? "elsewhere" : `to ${notice.area}`} from now on.`;
    case "run_shared":
      return `By their branches, several work trees come to this one run and share its place; name a run for each, or rename a branch: ${notice.trees.join(", ")}.`;
    case "nothing_interrupted":
      return `Nothing was interrupted here: ${notice.step} begins now.`;
    case "earlier_unfinished":
      return `Not finished before this: ${notice.workflows.join(", ")}.`;
    case "focus_gone":
      return `${notice.workflow}, where the work stood, is no longer defined: this is the first behavior.`;
    case "definition_broken":
      return `${notice.problem.message} (${notice.problem.file}).`;
    case "successor_closed":
      return `${notice.step} is completed, but nothing is said of what follows: ${notice.problem.message} (${notice.problem.file}).`;
    case "definition_changed":
      return `The definition of ${notice.workflow} has changed since this session began; the session goes on with the one it began with.`;
    case "definition_gone":
      return definitionGoneText(notice.workflow);
    case "view_differs":
      return `${file} on disk differs from the history (${notice.found}); the next call settles it.`;
    case "changed_outside":
      return `Changed while ${notice.step} was open, outside what it may change (${listed(notice.edits)}): ${listed(notice.files, notice.more)}. Tell the person, and undo what was not meant.`;
    case "changes_unknown":
      return `Nobody can tell what was changed outside the edits of ${notice.step}: ${notice.why}.`;
    case "set_aside":
      return setAsideText(notice.count);
    case "finished_before":
      return `Session ${notice.session} for the same is finished${notice.last === undefined ? "" : ` (${moveInWords(notice.last, id.kind)})`}: this is a new one, from the first phase.`;
    case "history_unreadable":
      return `The history of session ${notice.desk} is gone or cannot be read: waymark verify shows what is wrong with it.`;
  }
}

/** The first few of some names, each cut, and how many more there are. */
function listed(names: readonly string[], more = 0): string {
  const told = names.slice(0, mostNames).map((name) => (name.length > 60 ? `…${name.slice(-59)}` : name));
  const rest = names.length - told.length + more;
  return `${told.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

const mostNames = 5;

/** So many moves are told one by one. */
const mostMoves = 3;

function movedByOthers(moves: readonly Move[], { kind }: DeskId): string {
  const told = moves.slice(-mostMoves).map((move) => moveInWords(move, kind));
  const more = moves.length - told.length;
  return `Others have worked here since your last call: ${more > 0 ? `${more} earlier step(s); ` : ""}${told.join("; ")}.`;
}

/** Says how many records git has brought here that do not count. */
export function setAsideText(count: number): string {
  const [what, names] = count === 1 ? ["1 record was", "it"] : [`${count} records were`, "each of them"];
  return `${what} set aside: this run went on on two git branches, and one of the two counts. Nothing is lost; waymark verify names ${names}.`;
}

function unusable({ why, detail, so }: Notice & { kind: "view_unusable" }, file: string): string {
  const what = {
    malformed: `is malformed (${detail})`,
    "names no workflow": "has no current_behavior",
    "names an unknown workflow": `names an unknown behavior, ${detail}`,
  }[why];
  const then =
    so === "restored" ? "it has been restored from the history" : "starting at the first behavior and its first action";
  return `${file} ${what}; ${then}. The file found is kept under .waymark/kept/.`;
}
