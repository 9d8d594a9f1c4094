import { diffLines } from "diff";

/** A line of a text, by what became of it; its numbers before and after. */
export type Line = {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
  readonly before?: number;
  readonly after?: number;
};

/** What is shown of a difference: lines, or how many were left out because nothing changed around them. */
export type Shown = Line | { readonly kind: "folded"; readonly lines: readonly Line[] };

/** The lines of a text beside those of the one before it, in the order of both. */
export function linesOf(given: string | undefined, handed: string): readonly Line[] {
  // Where every line ends as Windows ends them that is no news; where only some do, it is drawn.
  const isUsual = [given ?? "\r\n", handed].every((text) => !/(?<!\r)\n/.test(text));
  const [before, after] = isUsual
    ? [given?.replaceAll("\r\n", "\n"), handed.replaceAll("\r\n", "\n")]
    : [given, handed];
  if (before === undefined) return split(after).map((text, at) => ({ kind: "same", text, after: at + 1 }));
  // Two texts that have little in common are not compared for ever.
  const parts = diffLines(before, after, { maxEditLength: 5000 }) ?? [
    { removed: true, added: false, value: before },
    { removed: false, added: true, value: after },
  ];
  let [old, now] = [0, 0];
  return parts.flatMap(({ added, removed, value }) =>
    split(value).map((text): Line => {
      if (added) return { kind: "added", text, after: ++now };
      if (removed) return { kind: "removed", text, before: ++old };
      return { kind: "same", text, before: ++old, after: ++now };
    }),
  );
}

/** The same with what has not changed folded, but for a few lines around what has. */
export function folded(lines: readonly Line[], around = 3): readonly Shown[] {
  const changed = lines.flatMap(({ kind }, at) => (kind === "same" ? [] : [at]));
  if (changed.length === 0) return lines;
  const isNear = new Set(changed.flatMap((at) => Array.from({ length: 2 * around + 1 }, (_, by) => at - around + by)));
  const shown: Shown[] = [];
  let hidden: Line[] = [];
  const unfold = (): void => {
    // A fold that hides a line or two is longer than they are.
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
