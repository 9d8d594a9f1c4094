import { basename, join } from "node:path";
import { isObject } from "../../workflow/json.ts";
import { asName } from "../bots/names.ts";
import { listFolder } from "../folder.ts";
import { readJson, readText } from "../json-file.ts";
import { textsOf } from "../rules/text-of.ts";
import { findFolders } from "./find-files.ts";
import { type Source, shownPath } from "./found.ts";

/** A text that an author wrote for the assistant, and the file it stands in. */
export type Instruction = { readonly text: string; readonly file: string };

/** Reads what the assistant is told at a step: by the action, by the behavior, and by the behavior for this action. */
export function readInstructions(source: Source, step: string, warnings: string[]): Instruction[] {
  const { tree, behavior } = source;
  const action = tree.actions.find(({ name }) => name === step);
  const names = new Set([step, ...(action === undefined ? [] : [asName(basename(action.folder))])]);
  const folders = [
    ...(action === undefined ? [] : [action.folder]),
    ...(behavior.folder === undefined ? [] : [behavior.folder]),
    ...[...names].flatMap((name) => findFolders(behavior.folder, name)),
  ];
  return folders.flatMap((folder) => readFolder(source, folder, warnings));
}

function readFolder(source: Source, folder: string, warnings: string[]): Instruction[] {
  return listFolder(folder)
    .files.filter((file) => /^instructions\.(md|json)$/i.test(file))
    .sort()
    .reverse() // Markdown before JSON, where somebody has both
    .flatMap((name) => {
      const path = join(folder, name);
      const file = shownPath(source, path);
      const text = /\.md$/i.test(name) ? readText(path)?.trim() : readJsonInstructions(path, file, warnings);
      if (text === "") warnings.push(`${file} holds no instructions.`);
      return text === undefined || text === "" ? [] : [{ text, file }];
    });
}

function readJsonInstructions(path: string, file: string, warnings: string[]): string | undefined {
  const read = readJson(path);
  if ("malformed" in read) warnings.push(`${file} cannot be used: ${read.malformed}.`);
  if (!("value" in read)) return undefined;
  const { value } = read;
  return textsOf(isObject(value) ? value.instructions : value).join("\n");
}
