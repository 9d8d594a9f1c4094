/** A text after an edit, with the reason for anything kept; or why it cannot be edited. */
export type EditResult = { readonly text: string; readonly kept?: string } | { readonly problem: string };

/** The facts that decide about an existing entry. */
export type EntryFacts = {
  /** True if the person named a command, which replaces any other. */
  readonly replace: boolean;
  /** True if Waymark is one of the project's packages, so that it starts in every clone. */
  readonly installed: boolean;
  readonly exists: (path: string) => boolean;
};

/** The reason an entry stays although init would write another. */
export const keptEntryReason = "kept your own entry for waymark, which works here (--command replaces it)";

/** The reason a hook stays although init would write another. */
export const keptHookReason = "kept your edited hook for waymark (--command replaces its command)";
