/** The templates that init offers; the first is the default. */
export const templates = ["story-bot", "test-generation", "bug-fix", "spec-driven", "blank"] as const;

export type Template = (typeof templates)[number];

/** A file that init writes into a project, by its path from the root; with `follows` it is updated while unchanged. */
export type KitFile = { readonly path: string; readonly text: string; readonly follows?: true };
