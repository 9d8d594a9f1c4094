import { foldName, foldPaths } from "./fold-names.ts";

/** The reason a path cannot name content on any file system; undefined if it can. */
export function pathProblem(path: string): string | undefined {
  const shape = shapeProblem(path);
  if (shape !== undefined) return shape;
  const segments = path.split("/");
  for (const segment of segments) {
    const problem = segmentProblem(segment);
    if (problem !== undefined) return problem;
  }
  const top = foldName(segments[0] ?? "");
  return isOwnName(top) ? `${top} is written only by Waymark` : undefined;
}

/** The reason no file may be read at a path: as for content, except that Markdown may be in a tool's folder such as `.kiro`. */
export function readPathProblem(path: string): string | undefined {
  const [, tool = "", rest = ""] = /^\.([a-z][a-z0-9_-]*)(\/.+\.md)$/i.exec(path) ?? [];
  return pathProblem(tool === "" || closed.has(foldName(`.${tool}`)) ? path : tool + rest);
}

/** Tells if a file of this name at the top of a project area is Waymark's own. */
export function isOwnName(name: string): boolean {
  return ["workflow_state.json", "activity_log.json"].includes(foldName(name));
}

/** The closed folder (git's, ours or installed packages) between a project area and its common ancestor with another path, however it is spelled. */
export function closedFolderBetween(from: string, area: string, separator: string): string | undefined {
  const common = from.split(separator);
  const parts = area.split(separator);
  const apart = parts.findIndex((part, index) => part !== common[index]);
  const own = apart < 0 ? [] : parts.slice(apart);
  return own.find((_, index) => closed.has(foldPaths(own, separator)[index] ?? ""));
}

const closed: ReadonlySet<string> = new Set([".git", ".waymark", "node_modules"]);

function shapeProblem(path: string): string | undefined {
  if (path === "") return "it is empty";
  if (path.length > 400) return "it is longer than 400 characters";
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(path)) return "it has control characters";
  if (directionMarks.test(path)) return "it has text direction marks";
  if (path.includes("\\")) return "it has a backslash; separate folders with /";
  return path.startsWith("/") || /^[a-z]:/i.test(path) ? "it is not relative to the project area" : undefined;
}

/** Characters that make a name read differently than it is written. */
const directionMarks = /\p{Bidi_Control}/u;

function segmentProblem(segment: string): string | undefined {
  if (segment === "") return "it has an empty segment";
  if (segment === "." || segment === "..") return `it contains "${segment}"`;
  const seen = foldName(segment);
  if (seen === "" || seen.startsWith(".")) return "it names a dotfile or a dot-folder";
  if (/[. ]$/.test(segment)) return "a segment ends with a dot or a space, which some systems drop";
  if (device.test(seen)) return `it names a Windows device (${segment.split(".")[0]})`;
  if (shortened.test(seen)) return "it has a Windows short name, which may mean another file";
  return Buffer.byteLength(segment) > 255 ? "a segment is longer than 255 bytes" : undefined;
}

/** These names mean a device with any ending after the dot; `NFKC` has turned superscript digits into plain ones. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$|clock\$) *(?:\.|$)/;

/** `GIT~1` is `.git` where names are shortened. */
const shortened = /^[^.~]{1,6}~\d+(?:\.[^.]{0,3})?$/;
