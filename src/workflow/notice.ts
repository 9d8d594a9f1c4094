import type { Problem } from "../evidence/problem.ts";
import type { Move } from "./desk.ts";

/** Something a caller should know besides the outcome; whoever answers puts it into words. */
export type Notice =
  /** A view that a person edited. */
  | { readonly kind: "edit_obeyed" }
  | { readonly kind: "edit_refused" }
  | { readonly kind: "edit_undone" }
  | { readonly kind: "view_deleted"; readonly so: "restored" | "began anew" }
  /** A view that says nothing usable, and what it lacks. */
  | {
      readonly kind: "view_unusable";
      readonly why: "malformed" | "names no workflow" | "names an unknown workflow";
      readonly detail: string;
      readonly so: "restored" | "began anew";
    }
  | { readonly kind: "position_unknown"; readonly workflow: string; readonly named: string | null }
  /** An edit claims a step whose gate it cannot pass: the step itself, or one before the position. */
  | { readonly kind: "gate_unpassed"; readonly step: string; readonly so: "stands open" | "comes first" }
  /** The completed step is one that somebody else opened. */
  | { readonly kind: "opened_by_another"; readonly by: Move }
  /** Others have moved the place since the caller's last call. */
  | { readonly kind: "moved_by_others"; readonly moves: readonly Move[] }
  /** The work tree of its run has come, gone or moved since the last call: files go elsewhere now. */
  | { readonly kind: "files_elsewhere"; readonly area?: string }
  /** Several work trees come to the name of its run. */
  | { readonly kind: "run_shared"; readonly trees: readonly string[] }
  | { readonly kind: "nothing_interrupted"; readonly step: string }
  | { readonly kind: "earlier_unfinished"; readonly workflows: readonly string[] }
  | { readonly kind: "focus_gone"; readonly workflow: string }
  | { readonly kind: "definition_broken"; readonly problem: Problem }
  /** Completed, and what follows cannot be said. */
  | { readonly kind: "successor_closed"; readonly step: string; readonly problem: Problem }
  /** The files are no longer what the run began with. */
  | { readonly kind: "definition_changed"; readonly workflow: string }
  | { readonly kind: "definition_gone"; readonly workflow: string }
  /** What stands in the project area differs from the history; the next call settles it. */
  | { readonly kind: "view_differs"; readonly found: string }
  /** Files that were changed while the step was open, and that its `edits` do not cover: the first of them, and how many more. */
  | {
      readonly kind: "changed_outside";
      readonly step: string;
      readonly edits: readonly string[];
      readonly files: readonly string[];
      readonly more: number;
    }
  | { readonly kind: "changes_unknown"; readonly step: string; readonly why: string }
  /** Records of another side of the history, which was merged into this one, do not count. */
  | { readonly kind: "set_aside"; readonly count: number }
  /** A session for the same was finished before, and how; this one is new. */
  | { readonly kind: "finished_before"; readonly session: string; readonly last?: Move }
  /** A desk left a trace, and its history tells nothing. */
  | { readonly kind: "history_unreadable"; readonly desk: string };

/** What is said beside an answer: data of ours, or a sentence from where it was found. */
export type Said = Notice | string;

/** What is said at first and then, each thing once: a notice that was found again is the same one. */
export function eachOnce(first: readonly Said[], then: readonly Said[]): readonly Said[] {
  return [...new Map([...first, ...then].map((said) => [JSON.stringify(said), said])).values()];
}
