import type { Readable } from "./readable.ts";

/** Says why a path cannot name content, whatever stands on disk and whichever file system it is; undefined where it can. */
export function pathProblem(path: string): string | undefined {
  const shape = shapeProblem(path);
  if (shape !== undefined) return shape;
  const segments = path.split("/");
  for (const segment of segments) {
    const problem = segmentProblem(segment);
    if (problem !== undefined) return problem;
  }
  const top = asFileSystemsSee(segments[0] ?? "");
  return isOwnName(top) ? `${top} is written by Waymark alone` : undefined;
}

/** Tells whether a file of this name, at the top of a project area, is one that Waymark alone writes. */
export function isOwnName(name: string): boolean {
  return ["workflow_state.json", "activity_log.json"].includes(asFileSystemsSee(name));
}

/** Refuses content that would stand where a step's readable record stands, however its path is written. */
export function overReadable(
  given: readonly { readonly path: string }[],
  onRecord: readonly ((Readable & { readonly path: string }) | undefined)[],
): readonly { readonly path: string; readonly reason: string }[] {
  const readable = onRecord.flatMap((one) => (one?.readable === true ? [one.path] : []));
  const taken = new Set(pathsAsFileSystemsSee(readable));
  const reason = "the readable record of a step stands there";
  return given
    .filter(({ path }) => pathsAsFileSystemsSee([path]).some((one) => taken.has(one)))
    .map(({ path }) => ({ path, reason }));
}

/** A name as the least discerning file system takes it: case, invisible characters, and dots and blanks at its end mean nothing. */
function asFileSystemsSee(name: string): string {
  const folded = name
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKC");
  return folded.replace(/:.*$/, "").replace(/[. ]+$/, "");
}

/** The same of every part of each of these paths. */
export function pathsAsFileSystemsSee(paths: readonly string[], separator = "/"): readonly string[] {
  return paths.map((path) => path.split(separator).map(asFileSystemsSee).join(separator));
}

/**
 * The folder that nothing may be written into on the way to a project area from what it has in common with another path: git's own, ours,
 * or one of installed packages, however it is spelled.
 */
export function closedFolder(from: string, area: string, separator: string): string | undefined {
  const common = from.split(separator);
  const parts = area.split(separator);
  const apart = parts.findIndex((part, index) => part !== common[index]);
  const own = apart < 0 ? [] : parts.slice(apart);
  return own.find((_, index) => closed.has(pathsAsFileSystemsSee(own, separator)[index] ?? ""));
}

const closed: ReadonlySet<string> = new Set([".git", ".waymark", "node_modules"]);

function shapeProblem(path: string): string | undefined {
  if (path === "") return "it is empty";
  if (path.length > 400) return "it is longer than 400 characters";
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(path)) return "it has control characters";
  if (direction.test(path)) return "it has marks that turn the direction of writing";
  if (path.includes("\\")) return "it has a backslash; separate folders with /";
  return path.startsWith("/") || /^[a-z]:/i.test(path) ? "it is not relative to the project area" : undefined;
}

/** What makes a name read otherwise than it is written. */
const direction = /\p{Bidi_Control}/u;

function segmentProblem(segment: string): string | undefined {
  if (segment === "") return "it has an empty part";
  if (segment === "." || segment === "..") return `it has a ${segment} part`;
  const seen = asFileSystemsSee(segment);
  if (seen === "" || seen.startsWith(".")) return "it names a dotfile or a dot-folder";
  if (/[. ]$/.test(segment)) return "it has a part that ends in a dot or a blank, which some systems drop";
  if (device.test(seen)) return `it names a device of Windows (${segment.split(".")[0]})`;
  if (shortened.test(seen)) return "it has a part in the short form of Windows, which may stand for another name";
  return Buffer.byteLength(segment) > 255 ? "it has a part longer than 255 bytes" : undefined;
}

/** These names mean a device whatever follows the dot. `NFKC` has made plain digits of the raised ones. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$|clock\$) *(?:\.|$)/;

/** `GIT~1` is `.git` where names are shortened. */
const shortened = /^[^.~]{1,6}~\d+(?:\.[^.]{0,3})?$/;
