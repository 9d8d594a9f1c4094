import type { ContentItem } from "../../engine/ports/content.ts";

/** The path of a step's readable record, with warnings. */
export type ReadablePath = { readonly path: string; readonly warnings: readonly string[] };

/** Chooses a free name for a readable record: its own, or the first free one beside it; `isFree` is also true for the same text. */
export function chooseReadablePath(
  { path, text = "" }: ContentItem,
  isFree: (path: string, text: string) => boolean,
): ReadablePath {
  const free = [path, ...alternativeNames(path)].find((name) => isFree(name, text));
  if (free === undefined || free === path) return { path, warnings: [] };
  return {
    path: free,
    warnings: [`${path} is not Waymark's file, so it was left alone; the submission is in ${free}.`],
  };
}

/** The warning that another file took the readable record's path before it was saved. */
export function takenMessage(path: string): string {
  return `${path} is not Waymark's file, so it was left alone; waymark show and the log have the submission.`;
}

function alternativeNames(path: string): readonly string[] {
  const [, stem = path, ending = ""] = /^(.*?)(\.[^./]*)?$/s.exec(path) ?? [];
  return Array.from({ length: 20 }, (_, index) => `${stem}.record${index === 0 ? "" : `-${index + 1}`}${ending}`);
}
