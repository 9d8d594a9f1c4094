import type { ContentItem, ContentRefusal } from "../../engine/ports/content.ts";

/** The target of a content path, or why it is refused; `size` is null if no file exists. */
export type ContentTarget = { readonly target: string; readonly size: number | null } | { readonly problem: string };

/** The size limits of submitted texts and of files read back. */
export const maxTextBytes = 5 * 1024 * 1024;
const maxRecordedBytes = 50 * 1024 * 1024;
const maxFiles = 50;

/** The reasons a recorded file cannot be shown. */
export const missing = "it no longer exists";
export const tooLong = "it is larger than 5 MB";
export const unreadable = "it cannot be read";
export const changedWhileHeld = "its copy under .waymark/held/ differs from the submission; submit it again";
export const changedSince = "it has changed since it was submitted";

/** Lists everything wrong with submitted content; empty if it can be accepted. */
export function findRefusals(
  items: readonly ContentItem[],
  placeOf: (path: string) => ContentTarget,
): ContentRefusal[] {
  // One more than a caller may send: the engine adds a readable record.
  if (items.length > maxFiles + 1)
    return items.slice(maxFiles).map(({ path }) => ({ path, reason: `a call takes at most ${maxFiles} files` }));
  const targets: string[] = [];
  return items.flatMap((item) => {
    const place = placeOf(item.path);
    const reason =
      "problem" in place ? place.problem : (sizeProblem(item, place.size) ?? pathClash(place.target, targets));
    if ("target" in place) targets.push(place.target);
    return reason === undefined ? [] : [{ path: item.path, reason }];
  });
}

function sizeProblem({ text }: ContentItem, size: number | null): string | undefined {
  if (text !== undefined) return Buffer.byteLength(text) > maxTextBytes ? "its text is longer than 5 MB" : undefined;
  if (size === null) return "it does not exist; submit its text, or write the file first";
  return size > maxRecordedBytes ? "the file is larger than 50 MB" : undefined;
}

function pathClash(target: string, others: readonly string[]): string | undefined {
  if (others.includes(target)) return "the file is listed twice";
  const isNested = others.some((other) => other.startsWith(`${target}/`) || target.startsWith(`${other}/`));
  return isNested ? "it is both a file and a folder here" : undefined;
}

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
