import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, sep } from "node:path";
import { isPathInside } from "../../kit/is-path-inside.ts";
import { realPath, realPathOrSame } from "../../kit/real-path.ts";

/** The folders of PATH that no project controls: absolute, outside installed packages and outside these folders. */
export async function foldersOfPath(...projects: readonly string[]): Promise<readonly string[]> {
  const closed = await Promise.all(projects.map(realPathOrSame));
  const kept: string[] = [];
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const real = isAbsolute(folder) ? await realPath(folder) : undefined;
    if (real !== undefined && !isProjectFile(real, closed) && !isProjectFile(folder, closed)) kept.push(folder);
  }
  return kept;
}

/** Finds a program on PATH outside the given projects, links followed; undefined if there is none. */
export async function findProgram(name: string, ...projects: readonly string[]): Promise<string | undefined> {
  const closed = await Promise.all(projects.map(realPathOrSame));
  const endings = process.platform === "win32" ? [".exe"] : [""];
  for (const folder of await foldersOfPath(...projects))
    for (const ending of endings) {
      const file = await realPath(join(folder, `${name}${ending}`));
      if (file !== undefined && !isProjectFile(file, closed) && (await isProgram(file))) return file;
    }
  return undefined;
}

function isProjectFile(path: string, projects: readonly string[]): boolean {
  return path.split(sep).includes("node_modules") || projects.some((one) => isPathInside(one, path));
}

async function isProgram(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) return false;
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
