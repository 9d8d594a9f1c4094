import { existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { rootVariable } from "../hosts/host.ts";
import { UserFault } from "./fault.ts";

/** The project that a command without `--root` means. */
export function defaultRoot(named: string | undefined = process.env[rootVariable]): string {
  // A host that does not know its own placeholder hands it on as it stands.
  if (named === undefined || named === "" || named.includes("${")) return findRoot(process.cwd());
  if (!isFolder(named)) throw new UserFault(`${rootVariable} names ${named}, which is not a folder.`);
  return findRoot(resolve(named));
}

/**
 * The nearest folder upwards that holds `.waymark/`, else the one it begins with. Where there are several the nearest with
 * definitions is meant: a project area below the root holds the engine's own files alone.
 */
export function findRoot(from: string): string {
  const holding = foldersFrom(from).filter((folder) => isFolder(join(folder, ".waymark")));
  return holding.find(holdsDefinitions) ?? holding[0] ?? from;
}

/** The project that init sets up: the same, but a home folder is not the project of what stands in it. */
export function rootToSetUp(from: string, home: string): string {
  const root = findRoot(from);
  const toHome = relative(root, home);
  const holdsHome = !toHome.startsWith("..") && !isAbsolute(toHome);
  return holdsHome ? from : root;
}

function holdsDefinitions(folder: string): boolean {
  return ["bots", "base_actions", "workflows", "standards", "config.json"].some((part) =>
    existsSync(join(folder, ".waymark", part)),
  );
}

/** A folder and all those above it. */
function foldersFrom(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersFrom(above)];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
