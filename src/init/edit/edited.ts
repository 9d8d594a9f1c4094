/** A text after an edit, with what was left as it stood; or why it cannot be edited. */
export type Edited = { readonly text: string; readonly kept?: string } | { readonly problem: string };

/** What decides about an entry that is there already. */
export type Circumstances = {
  /** The person named a command: an entry with another one is replaced. */
  readonly replace: boolean;
  /** Waymark is among the project's packages: from there it starts in every clone. */
  readonly installed: boolean;
  readonly exists: (path: string) => boolean;
};

/** Why an entry stays that init would write differently. */
export const ownEntry = "it has an entry for waymark that differs and can start here: kept (--command replaces it)";

/** Why a hook of ours stays that init would write differently. */
export const ownHook = "its hook for waymark was changed by somebody: kept (--command replaces the command in it)";
