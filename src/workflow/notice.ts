import type { Problem } from "../gates/problem.ts";
import type { Move } from "./move.ts";

/** Information for the caller besides the outcome; `messages` words it. */
export type Notice =
  /** A view that a person edited. */
  | { readonly kind: "edit_obeyed" }
  | { readonly kind: "edit_refused" }
  | { readonly kind: "edit_undone" }
  | { readonly kind: "view_deleted"; readonly so: "restored" | "began anew" }
  /** A view with nothing usable, and what it lacks. */
  | {
      readonly kind: "view_unusable";
      readonly why: "malformed" | "names no workflow" | "names an unknown workflow";
      readonly detail: string;
      readonly so: "restored" | "began anew";
    }
  | { readonly kind: "position_unknown"; readonly workflow: string; readonly named: string | null }
  /** An edit claims a step whose gate it cannot pass: the step itself, or one before the position. */
  | { readonly kind: "gate_unpassed"; readonly step: string; readonly so: "stands open" | "comes first" }
  /** The completed step was opened by another caller. */
  | { readonly kind: "opened_by_another"; readonly by: Move }
  /** Others have moved the position since the caller's last call. */
  | { readonly kind: "moved_by_others"; readonly moves: readonly Move[] }
  /** The worktree of the run was added, removed or moved since the last call: its files go elsewhere now. */
  | { readonly kind: "files_elsewhere"; readonly area?: string }
  /** Several worktrees map to the name of the run. */
  | { readonly kind: "run_shared"; readonly trees: readonly string[] }
  | { readonly kind: "nothing_interrupted"; readonly step: string }
  | { readonly kind: "earlier_unfinished"; readonly workflows: readonly string[] }
  | { readonly kind: "focus_gone"; readonly workflow: string }
  /** Completed steps that the definitions no longer have: renamed or removed. */
  | { readonly kind: "completed_gone"; readonly steps: readonly string[] }
  | { readonly kind: "definition_broken"; readonly problem: Problem }
  /** Completed, but the next step is unknown. */
  | { readonly kind: "successor_closed"; readonly step: string; readonly problem: Problem }
  /** The files have changed since the run started. */
  | { readonly kind: "definition_changed"; readonly workflow: string }
  | { readonly kind: "definition_gone"; readonly workflow: string }
  /** A view in the project area differs from the history; the next call resolves it. */
  | { readonly kind: "view_differs"; readonly found: string }
  /** Files changed while the step was open that its `edits` do not cover: the first few, and how many more. */
  | {
      readonly kind: "changed_outside";
      readonly step: string;
      readonly edits: readonly string[];
      readonly files: readonly string[];
      readonly more: number;
    }
  | { readonly kind: "changes_unknown"; readonly step: string; readonly why: string }
  /** Forked records: another side of the history was merged into this one, and they do not count. */
  | { readonly kind: "set_aside"; readonly count: number }
  /** An earlier session for the same key is finished; this one is new. */
  | { readonly kind: "finished_before"; readonly session: string; readonly last?: Move }
  /** A stream left a trace, but its history is unreadable. */
  | { readonly kind: "history_unreadable"; readonly desk: string };

/** A warning in a reply: a notice as data, or a sentence from where it was found. */
export type Warning = Notice | string;

/** Joins two lists of warnings without repeating any. */
export function mergeWarnings(first: readonly Warning[], then: readonly Warning[]): readonly Warning[] {
  return [...new Map([...first, ...then].map((said) => [JSON.stringify(said), said])).values()];
}
