/** A file as it is and as it is to be; undefined where there is none. */
export type Change = {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Why it stays as it is, though init would have it otherwise. */
  readonly kept?: string;
};

/** What is to be done, what init notes for itself, and the folders that go when they are left empty. */
export type Plan = {
  readonly changes: readonly Change[];
  readonly notes: readonly Change[];
  readonly folders: readonly string[];
};

/** What happens to a file, in one word. */
export type Action = "created" | "changed" | "removed" | "kept" | "unchanged";

/** What a change does to its file. */
export function actionOf({ before, after, kept }: Change): Action {
  if (before === after) return kept === undefined ? "unchanged" : "kept";
  if (before === undefined) return "created";
  return after === undefined ? "removed" : "changed";
}

/** Whether a change writes anything. */
export function isWork(change: Change): boolean {
  return change.before !== change.after;
}
