import { realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";

/** Looks for a file or folder inside the project area: a complaint, null where it is there, undefined where nobody can tell. */
export async function lookFor(area: string, path: string, kind: "file" | "folder"): Promise<string | null | undefined> {
  try {
    const root = await realpath(area);
    const problem = pathProblem(relativeTo([area, root], path));
    if (problem !== undefined) return `${show(path)} is no path that is looked for: ${problem}`;
    const target = await realpath(join(root, relativeTo([area, root], path)));
    if (target !== root && !target.startsWith(root + sep))
      return `${show(path)} leaves the project area through a link`;
    const hidden = pathProblem(relative(root, target));
    if (hidden !== undefined) return `${show(path)} is no path that is looked for: through a link, ${hidden}`;
    const found = await stat(target);
    if (kind === "file" ? found.isFile() : found.isDirectory()) return null;
    return kind === "file" ? `${show(path)} is not a file` : `${show(path)} is not a folder`;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const isAbsent = code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG" || code === "ELOOP";
    return isAbsent ? `no ${kind} stands at ${show(path)} in the project area` : undefined;
  }
}

/** A path as it is seen from the project area, where it lies in there. */
function relativeTo(roots: readonly string[], path: string): string {
  const root = isAbsolute(path) ? roots.find((one) => path.startsWith(one + sep)) : undefined;
  const inside = root === undefined ? path : relative(root, path);
  return inside.replace(/^(?:\.\/)+/, "").replace(/\/$/, "");
}

function pathProblem(path: string): string | undefined {
  if (path.trim() === "") return "it is empty";
  if (path.length > 400) return "it is longer than 400 characters";
  if (/[\p{Cc}\p{Cs}]/u.test(path)) return "it has control characters";
  if (path.includes("\\") && sep === "/") return "it has a backslash; separate folders with /";
  if (isAbsolute(path) || /^[a-z]:/i.test(path)) return "it lies outside the project area";
  for (const segment of path.split(/[/\\]/)) {
    if (segment === "") return "it has an empty part";
    if (segment === "." || segment === "..") return `it has a ${segment} part`;
    if (
      segment
        .normalize("NFKC")
        .replace(/\p{Cf}/gu, "")
        .startsWith(".")
    )
      return "it names a dotfile or a dot-folder";
  }
  return undefined;
}

function show(path: string): string {
  const text = JSON.stringify(path);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
