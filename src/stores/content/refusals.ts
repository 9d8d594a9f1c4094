import type { ContentItem, ContentRefusal } from "../../engine/ports.ts";

/** Where a content path leads; or why nothing may be written or read there. `size` is null where no file is there. */
export type Place = { readonly target: string; readonly size: number | null } | { readonly problem: string };

/** The longest text that is handed in, and the longest file that is read back. */
export const maxTextBytes = 5 * 1024 * 1024;
const maxRecordedBytes = 50 * 1024 * 1024;
const maxFiles = 50;

/** Why a file on record cannot be shown. */
export const missing = "no file stands there any more";
export const tooLong = "it is larger than 5 MB";
export const unreadable = "it cannot be read";
export const changedWhileHeld =
  "what was held for it under .waymark/held/ is no longer what was handed in; hand it in again";
export const changedSince = "it has changed since it was handed in";

/** Says what is wrong with content, all of it at once; an empty list where it can be taken. */
export function findRefusals(items: readonly ContentItem[], placeOf: (path: string) => Place): ContentRefusal[] {
  // One more than a caller may send: the engine adds a readable record of what was handed in.
  if (items.length > maxFiles + 1)
    return items.slice(maxFiles).map(({ path }) => ({ path, reason: `only ${maxFiles} files go into one call` }));
  const targets: string[] = [];
  return items.flatMap((item) => {
    const place = placeOf(item.path);
    const reason = "problem" in place ? place.problem : (sizeProblem(item, place.size) ?? clash(place.target, targets));
    if ("target" in place) targets.push(place.target);
    return reason === undefined ? [] : [{ path: item.path, reason }];
  });
}

function sizeProblem({ text }: ContentItem, size: number | null): string | undefined {
  if (text !== undefined) return Buffer.byteLength(text) > maxTextBytes ? "its text is longer than 5 MB" : undefined;
  if (size === null) return "no file stands there; hand in its text, or write the file first";
  return size > maxRecordedBytes ? "the file that stands there is larger than 50 MB" : undefined;
}

function clash(target: string, others: readonly string[]): string | undefined {
  if (others.includes(target)) return "the same file is named twice";
  const isNested = others.some((other) => other.startsWith(`${target}/`) || target.startsWith(`${other}/`));
  return isNested ? "it is both a file and a folder here" : undefined;
}
