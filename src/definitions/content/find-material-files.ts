import { basename, extname, join } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { compareByNumber, normalizeName } from "../bots/definition-names.ts";
import { listFolder } from "../snapshot/list-folder.ts";

/** Finds the folders that a path of names leads to, ignoring number prefixes. */
export function findFolders(
  definitions: DefinitionSnapshot,
  from: string | undefined,
  ...names: readonly string[]
): string[] {
  const [name, ...rest] = names;
  if (from === undefined) return [];
  if (name === undefined) return [from];
  return listFolder(definitions, from)
    .folders.filter((folder) => normalizeName(folder) === name)
    .sort(compareByNumber)
    .flatMap((folder) => findFolders(definitions, join(from, folder), ...rest));
}

/** Finds the files of a folder with one of these extensions, and one of these names if given. */
export function findFiles(
  definitions: DefinitionSnapshot,
  folder: string | undefined,
  endings: readonly string[],
  names?: readonly string[],
): string[] {
  if (folder === undefined) return [];
  return listFolder(definitions, folder)
    .files.filter((file) => endings.includes(extname(file).toLowerCase()))
    .filter((file) => names?.includes(materialName(file)) ?? !isOfTheAction(file))
    .sort(compareByNumber)
    .map((file) => join(folder, file));
}

/** True for files in an action's folder that are not material: for people or for the engine. */
function isOfTheAction(file: string): boolean {
  return /^(?:readme\b|action_config\.json$|gate[-_ ]?definition)/i.test(file);
}

/** The name of a file without its extension and number prefix. */
export function materialName(path: string): string {
  return normalizeName(basename(path, extname(path)));
}
