import type { Word } from "./parse.ts";

/** A path that a program writes to, with everything in it where it is a folder. */
export type Written = {
  readonly word: Word;
  /** A folder is made, and nothing else. */
  readonly made?: true;
  /** It is taken away, with all that is in it. */
  readonly removed?: true;
  /** Where it is a folder, these come to stand in it, and nothing else there is written. */
  readonly names?: readonly string[];
  /** Only what has such a name in it is written; of no name, what somebody chooses otherwise. */
  readonly chosen?: readonly string[];
};

/** What copying and moving write: the last word, or the folder that is named; moving also takes away. */
export function broughtInto(
  operands: readonly Word[],
  { folder, moved }: { readonly folder?: Word; readonly moved?: true } = {},
): readonly Written[] {
  const target = folder ?? (operands.length > 1 ? operands.at(-1) : undefined);
  const sources = folder === undefined ? operands.slice(0, target === undefined ? undefined : -1) : operands;
  const names = sources.flatMap(({ text, plain }) => (plain ? [lastPart(text)] : []));
  const isKnown = names.length === sources.length;
  return [
    ...(moved ? sources.map((word): Written => ({ word, removed: true })) : []),
    ...(target === undefined ? [] : [{ word: target, ...(isKnown ? { names } : { chosen: [] }) }]),
  ];
}

/** The last part of a path; "" where the folder's own content is meant. */
export function lastPart(path: string): string {
  const part = path.replace(/\/+$/, "").split("/").at(-1) ?? "";
  return part === "." || part === ".." ? "" : part;
}
