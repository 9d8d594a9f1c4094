import { basename, join } from "node:path";
import { isObject } from "../../workflow/json.ts";
import { asName } from "../bots/names.ts";
import { definitionsOf } from "../bots/place.ts";
import { listFolder } from "../folder.ts";
import { readJson, readText } from "../json-file.ts";
import { type Flaw, flawIn, type Remark } from "../problem.ts";
import { textsOf } from "../rules/text-of.ts";
import { findFolders } from "./find-files.ts";
import { type Source, unusableIn } from "./found.ts";

/** A text that an author wrote for the assistant, and the file it stands in. `background`: it is about the whole behavior, and the same at each of its steps. */
export type Instruction = { readonly text: string; readonly path: string; readonly background: boolean };

/** Reads what the assistant is told at a step: by the action, by the behavior, and by the behavior for this action. */
export function readInstructions(source: Source, step: string, problems: Flaw[]): Instruction[] {
  const { tree, behavior } = source;
  const action = tree.actions.find(({ name }) => name === step);
  const names = new Set([step, ...(action === undefined ? [] : [asName(basename(action.folder))])]);
  const folders = [
    ...(action === undefined ? [] : [action.folder]),
    ...(behavior.folder === undefined ? [] : [behavior.folder]),
    ...[...names].flatMap((name) => findFolders(behavior.folder, name)),
  ];
  return folders.flatMap((folder) =>
    readFolder(source, folder, problems).map((one) => ({ ...one, background: folder === behavior.folder })),
  );
}

function readFolder(source: Source, folder: string, problems: Flaw[]): Omit<Instruction, "background">[] {
  return listFolder(folder)
    .files.filter((file) => /^instructions\.(md|json)$/i.test(file))
    .sort()
    .reverse() // Markdown before JSON, where somebody has both
    .flatMap((name) => {
      const path = join(folder, name);
      const text = /\.md$/i.test(name) ? readText(path)?.trim() : readJsonInstructions(source, path, problems);
      if (text === "") problems.push(flawIn(definitionsOf(source.tree), path, holdsNone));
      return text === undefined || text === "" ? [] : [{ text, path }];
    });
}

const holdsNone: Remark = {
  code: "missing-instructions",
  message: "the file holds no instructions",
  fix: "Write what to do, and what to hand in; or delete the file.",
};

function readJsonInstructions(source: Source, path: string, problems: Flaw[]): string | undefined {
  const read = readJson(path);
  if ("malformed" in read) problems.push(unusableIn(source, path, read));
  if (!("value" in read)) return undefined;
  const { value } = read;
  return textsOf(isObject(value) ? value.instructions : value).join("\n");
}
