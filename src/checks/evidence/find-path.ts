import { realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { isPathInside } from "../../kit/is-path-inside.ts";
import type { Json } from "../../kit/json.ts";
import { readPathProblem } from "../../kit/portable-path.ts";

/**
 * Looks for a file or folder inside the project area: returns a complaint, null if it exists, undefined if that cannot be told. If
 * nothing is at a valid path, `isComing` says if it will be.
 */
export async function findEvidencePath(
  area: string,
  path: string,
  kind: "file" | "folder",
  isComing: () => Promise<boolean> = async () => false,
): Promise<string | null | undefined> {
  try {
    const root = await realpath(area);
    const problem = readPathProblem(asWritten(relativeTo([area, root], path)));
    if (problem !== undefined) return `${show(path)} is not an allowed path: ${problem}`;
    const target = await realpath(join(root, relativeTo([area, root], path)));
    if (!isPathInside(root, target)) return `${show(path)} leaves the project area through a link`;
    const hidden = readPathProblem(asWritten(relative(root, target)));
    if (hidden !== undefined) return `${show(path)} is not an allowed path: through a link, ${hidden}`;
    const found = await stat(target);
    const own = await Promise.all(ownFiles.map((name) => stat(join(root, name)).catch(() => undefined)));
    if (own.some((one) => one?.ino === found.ino && one.dev === found.dev))
      return `${show(path)} is a file that only Waymark writes`;
    if (kind === "file" ? found.isFile() : found.isDirectory()) return null;
    return kind === "file" ? `${show(path)} is not a file` : `${show(path)} is not a folder`;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const isAbsent = code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG" || code === "ELOOP";
    if (!isAbsent) return undefined;
    return (await isComing()) ? null : `the ${kind} ${show(path)} does not exist in the project area`;
  }
}

/** The reason a claimed path could never have been looked for in any project; undefined if it could. */
export function impossiblePath(path: Json): string | undefined {
  if (typeof path !== "string") return "one of its items is not text";
  const written = path.replaceAll("\\", "/");
  if (written.startsWith("/") || /^[a-z]:/i.test(written)) return undefined;
  const problem = readPathProblem(relativeTo([], written));
  return problem === undefined ? undefined : `${show(path)} is not an allowed path: ${problem}`;
}

const ownFiles = ["workflow_state.json", "activity_log.json"];

/** A path relative to the project area, if it is inside. */
function relativeTo(roots: readonly string[], path: string): string {
  const root = isAbsolute(path) ? roots.find((one) => path.startsWith(one + sep)) : undefined;
  const inside = root === undefined ? path : relative(root, path);
  return inside.replace(/^(?:\.\/)+/, "").replace(/\/$/, "");
}

function asWritten(path: string): string {
  return path.split(sep).join("/");
}

function show(path: string): string {
  const text = JSON.stringify(path);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
