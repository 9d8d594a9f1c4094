/** The YAML front matter of a Markdown text: what is between its dashes, and the offset at which the text goes on. */
export type FrontMatterSource = { readonly source: string; readonly end: number };

/** Finds the front matter that a text begins with; undefined if there is none or it is never closed. */
export function frontMatterIn(text: string): FrontMatterSource | undefined {
  const [whole, source = ""] =
    /^---[ \t]*\r?\n((?:[\s\S]{0,65536}?\r?\n)??)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  return whole === undefined ? undefined : { source, end: whole.length };
}
