import { basename, extname, join } from "node:path";
import { asName, byNumber } from "../bots/names.ts";
import { definitionsOf } from "../bots/place.ts";
import type { BehaviorFolder, BotTree } from "../bots/tree.ts";
import { listFolder } from "../folder.ts";
import { shownIn } from "../shown.ts";

/** A file that holds rules: where it is, as a reader knows it, and the name it gives to a rule without one. */
export type RuleFile = { readonly path: string; readonly shown: string; readonly name: string };

/** Finds the rule files of a behavior, its own before those of the whole bot. */
export function findRuleFiles(tree: BotTree, behavior: BehaviorFolder): RuleFile[] {
  const definitions = definitionsOf(tree);
  return [behavior.folder, tree.folder].flatMap((place) =>
    (place === undefined ? [] : ruleFolders(place).flatMap(withFoldersBelow)).flatMap((folder) =>
      listFolder(folder)
        .files.filter(isRuleFile)
        .sort(byNumber)
        .map((file) => {
          const path = join(folder, file);
          return { path, shown: shownIn(definitions, path), name: asName(basename(file, extname(file))) };
        }),
    ),
  );
}

function ruleFolders(place: string): string[] {
  return listFolder(place)
    .folders.filter((folder) => ["rules", "rule"].includes(asName(folder).toLowerCase()))
    .sort(byNumber)
    .map((folder) => join(place, folder));
}

/** Rules may be sorted into folders of their own. */
function withFoldersBelow(folder: string): string[] {
  const below = [...listFolder(folder).folders].sort(byNumber).map((name) => join(folder, name));
  return [folder, ...below.flatMap(withFoldersBelow)];
}

function isRuleFile(file: string): boolean {
  return /\.(json|md)$/i.test(file) && !/^readme\b|\.schema\.json$/i.test(file);
}
