/** A file before and after a change; undefined means that it does not exist. */
export type Change = {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The reason it stays unchanged although init would write something else. */
  readonly kept?: string;
};

/** The changes, init's own notes, and the folders to remove if they become empty. */
export type InitPlan = {
  readonly changes: readonly Change[];
  readonly notes: readonly Change[];
  readonly folders: readonly string[];
};

/** The effect of a change on its file, in one word. */
export type ChangeAction = "created" | "changed" | "removed" | "kept" | "unchanged";

/** The effect of a change on its file. */
export function changeAction({ before, after, kept }: Change): ChangeAction {
  if (before === after) return kept === undefined ? "unchanged" : "kept";
  if (before === undefined) return "created";
  return after === undefined ? "removed" : "changed";
}

/** True if a change writes anything. */
export function writesAnything(change: Change): boolean {
  return change.before !== change.after;
}
