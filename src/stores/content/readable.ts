import type { ContentItem } from "../../engine/ports.ts";

/** Where our own record of a step goes, and what is to be said of it. */
export type ReadablePlace = { readonly path: string; readonly warnings: readonly string[] };

/** Gives a readable record a name at which nobody else's file stands: its own, or the first free one beside it. `isFree` is also true where the same text stands there already. */
export function readablePlace(
  { path, text = "" }: ContentItem,
  isFree: (path: string, text: string) => boolean,
): ReadablePlace {
  const free = [path, ...otherNames(path)].find((name) => isFree(name, text));
  if (free === undefined || free === path) return { path, warnings: [] };
  return {
    path: free,
    warnings: [`${path} is somebody's own file and stays as it is; what was handed in can be read in ${free}.`],
  };
}

/** What is said where somebody else's file came to stand at the place of a readable record before it was saved. */
export function takenMeanwhile(path: string): string {
  return `${path} is somebody's own file and stays as it is; waymark show and the log have what was handed in.`;
}

function otherNames(path: string): readonly string[] {
  const [, stem = path, ending = ""] = /^(.*?)(\.[^./]*)?$/s.exec(path) ?? [];
  return Array.from({ length: 20 }, (_, index) => `${stem}.record${index === 0 ? "" : `-${index + 1}`}${ending}`);
}
