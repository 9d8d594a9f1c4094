import { realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { pathProblem } from "../../evidence/content-path.ts";
import type { Json } from "../../evidence/json.ts";
import { liesIn } from "../../paths/lies-in.ts";

/**
 * Looks for a file or folder inside the project area: a complaint, null where it is there, undefined where nobody can tell.
 * Where nothing stands at a path that is looked for, `isComing` says whether it will.
 */
export async function lookFor(
  area: string,
  path: string,
  kind: "file" | "folder",
  isComing: () => Promise<boolean> = async () => false,
): Promise<string | null | undefined> {
  try {
    const root = await realpath(area);
    const problem = pathProblem(asWritten(relativeTo([area, root], path)));
    if (problem !== undefined) return `${show(path)} is no path that is looked for: ${problem}`;
    const target = await realpath(join(root, relativeTo([area, root], path)));
    if (!liesIn(root, target)) return `${show(path)} leaves the project area through a link`;
    const hidden = pathProblem(asWritten(relative(root, target)));
    if (hidden !== undefined) return `${show(path)} is no path that is looked for: through a link, ${hidden}`;
    const found = await stat(target);
    const own = await Promise.all(ownFiles.map((name) => stat(join(root, name)).catch(() => undefined)));
    if (own.some((one) => one?.ino === found.ino && one.dev === found.dev))
      return `${show(path)} is a file that Waymark alone writes`;
    if (kind === "file" ? found.isFile() : found.isDirectory()) return null;
    return kind === "file" ? `${show(path)} is not a file` : `${show(path)} is not a folder`;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const isAbsent = code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG" || code === "ELOOP";
    if (!isAbsent) return undefined;
    return (await isComing()) ? null : `no ${kind} stands at ${show(path)} in the project area`;
  }
}

/** Why nothing was ever looked for at what is said to be a path, wherever the project stood then; undefined where something may have been. */
export function neverLookedFor(path: Json): string | undefined {
  if (typeof path !== "string") return "one of its items is no text";
  const written = path.replaceAll("\\", "/");
  if (written.startsWith("/") || /^[a-z]:/i.test(written)) return undefined;
  const problem = pathProblem(relativeTo([], written));
  return problem === undefined ? undefined : `${show(path)} is no path that is looked for: ${problem}`;
}

const ownFiles = ["workflow_state.json", "activity_log.json"];

/** A path as it is seen from the project area, where it lies in there. */
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
