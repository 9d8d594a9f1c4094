import { diffLines } from "diff";

/** A line of a difference, with its numbers before and after. */
export type DiffLine = {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
  readonly before?: number;
  readonly after?: number;
};

/** A shown part of a difference: a line, or lines folded because nothing changed around them. */
export type DiffPart = DiffLine | { readonly kind: "folded"; readonly lines: readonly DiffLine[] };

/** Compares two texts line by line. */
export function compareLines(given: string | undefined, submitted: string): readonly DiffLine[] {
  // Windows line endings throughout are no change; mixed ones are shown
  const isUsual = [given ?? "\r\n", submitted].every((text) => !/(?<!\r)\n/.test(text));
  const [before, after] = isUsual
    ? [given?.replaceAll("\r\n", "\n"), submitted.replaceAll("\r\n", "\n")]
    : [given, submitted];
  if (before === undefined) return split(after).map((text, at) => ({ kind: "same", text, after: at + 1 }));
  // limits the time for two texts with little in common
  const parts = diffLines(before, after, { maxEditLength: 5000 }) ?? [
    { removed: true, added: false, value: before },
    { removed: false, added: true, value: after },
  ];
  let [old, now] = [0, 0];
  return parts.flatMap(({ added, removed, value }) =>
    split(value).map((text): DiffLine => {
      if (added) return { kind: "added", text, after: ++now };
      if (removed) return { kind: "removed", text, before: ++old };
      return { kind: "same", text, before: ++old, after: ++now };
    }),
  );
}

/** Folds unchanged lines, except for a few around each change. */
export function foldUnchanged(lines: readonly DiffLine[], around = 3): readonly DiffPart[] {
  const changed = lines.flatMap(({ kind }, at) => (kind === "same" ? [] : [at]));
  if (changed.length === 0) return lines;
  const isNear = new Set(changed.flatMap((at) => Array.from({ length: 2 * around + 1 }, (_, by) => at - around + by)));
  const shown: DiffPart[] = [];
  let hidden: DiffLine[] = [];
  const unfold = (): void => {
    // a fold that hides one or two lines is longer than they are
    if (hidden.length > 2) shown.push({ kind: "folded", lines: hidden });
    else shown.push(...hidden);
    hidden = [];
  };
  for (const [at, line] of lines.entries())
    if (isNear.has(at)) {
      unfold();
      shown.push(line);
    } else hidden.push(line);
  unfold();
  return shown;
}

function split(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
