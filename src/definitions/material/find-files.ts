import { basename, extname, join } from "node:path";
import { asName, byNumber } from "../bots/names.ts";
import { listFolder } from "../folder.ts";

/** Finds the folders that a path of names leads to; numbers in front of a folder's name are passed over. */
export function findFolders(from: string | undefined, ...names: readonly string[]): string[] {
  const [name, ...rest] = names;
  if (from === undefined) return [];
  if (name === undefined) return [from];
  return listFolder(from)
    .folders.filter((folder) => asName(folder) === name)
    .sort(byNumber)
    .flatMap((folder) => findFolders(join(from, folder), ...rest));
}

/** Finds the files of a folder that have one of these endings, and one of these names where they are given. */
export function findFiles(folder: string | undefined, endings: readonly string[], names?: readonly string[]): string[] {
  if (folder === undefined) return [];
  return listFolder(folder)
    .files.filter((file) => endings.includes(extname(file).toLowerCase()))
    .filter((file) => names?.includes(nameOf(file)) ?? !isOfTheAction(file))
    .sort(byNumber)
    .map((file) => join(folder, file));
}

/** A folder may be an action's own: what is for people or for the engine there is no material. */
function isOfTheAction(file: string): boolean {
  return /^(?:readme\b|action_config\.json$|gate[-_ ]?definition)/i.test(file);
}

/** The name of a file without its ending and the number in front. */
export function nameOf(path: string): string {
  return asName(basename(path, extname(path)));
}
