import { basename, extname, join } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { compareByNumber, normalizeName } from "../bots/definition-names.ts";
import type { BehaviorFolder, BotTree } from "../bots/tree.ts";
import { displayPath } from "../snapshot/display-path.ts";
import { listFolder } from "../snapshot/list-folder.ts";

/** A rule file: its path, its path in messages, and the default name of its rule. */
export type RuleFile = { readonly path: string; readonly shown: string; readonly name: string };

/** Finds the rule files of a behavior, its own before the bot's. */
export function findRuleFiles(tree: BotTree, behavior: BehaviorFolder): RuleFile[] {
  return [behavior.folder, tree.folder].flatMap((place) =>
    (place === undefined
      ? []
      : ruleFolders(tree.definitions, place).flatMap((one) => withFoldersBelow(tree.definitions, one))
    ).flatMap((folder) =>
      listFolder(tree.definitions, folder)
        .files.filter(isRuleFile)
        .sort(compareByNumber)
        .map((file) => {
          const path = join(folder, file);
          return {
            path,
            shown: displayPath(tree.definitions.folder, path),
            name: normalizeName(basename(file, extname(file))),
          };
        }),
    ),
  );
}

function ruleFolders(definitions: DefinitionSnapshot, place: string): string[] {
  return listFolder(definitions, place)
    .folders.filter((folder) => ["rules", "rule"].includes(normalizeName(folder).toLowerCase()))
    .sort(compareByNumber)
    .map((folder) => join(place, folder));
}

/** A folder of rules and its subfolders. */
function withFoldersBelow(definitions: DefinitionSnapshot, folder: string): string[] {
  const below = [...listFolder(definitions, folder).folders].sort(compareByNumber).map((name) => join(folder, name));
  return [folder, ...below.flatMap((one) => withFoldersBelow(definitions, one))];
}

function isRuleFile(file: string): boolean {
  return /\.(json|md)$/i.test(file) && !/^readme\b|\.schema\.json$/i.test(file);
}
