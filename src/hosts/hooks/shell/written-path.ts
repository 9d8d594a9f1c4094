import type { ShellWord } from "./shell-command.ts";

/** A path that a program writes to, including everything in it if it is a folder. */
export type WrittenPath = {
  readonly word: ShellWord;
  /** Only a folder is created. */
  readonly made?: true;
  /** It is removed with its content. */
  readonly removed?: true;
  /** If it is a folder, only these names in it are written. */
  readonly names?: readonly string[];
  /** Only paths with such a name in them are written; empty if something else selects them. */
  readonly chosen?: readonly string[];
};

/** The paths that copying and moving write: the last operand or the named folder; moving also removes. */
export function copyTargets(
  operands: readonly ShellWord[],
  { folder, moved }: { readonly folder?: ShellWord; readonly moved?: true } = {},
): readonly WrittenPath[] {
  const target = folder ?? (operands.length > 1 ? operands.at(-1) : undefined);
  const sources = folder === undefined ? operands.slice(0, target === undefined ? undefined : -1) : operands;
  const names = sources.flatMap(({ text, plain }) => (plain ? [lastPart(text)] : []));
  const isKnown = names.length === sources.length;
  return [
    ...(moved ? sources.map((word): WrittenPath => ({ word, removed: true })) : []),
    ...(target === undefined ? [] : [{ word: target, ...(isKnown ? { names } : { chosen: [] }) }]),
  ];
}

/** The last part of a path; empty if the folder's content is meant. */
export function lastPart(path: string): string {
  const part = path.replace(/\/+$/, "").split("/").at(-1) ?? "";
  return part === "." || part === ".." ? "" : part;
}
