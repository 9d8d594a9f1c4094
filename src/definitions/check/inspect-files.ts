import { basename, extname, join } from "node:path";
import { readJson, readText } from "../json-file.ts";
import { deepestNamed, placesIn } from "../json-place.ts";
import type { Noted } from "./finding.ts";
import { type Survey, walk } from "./survey.ts";

/** Reports what is wrong with files and folders whatever they are for: JSON that cannot be read, empty texts, untidy names and ends. */
export function inspectFiles({ definitions, folders }: Survey): Noted[] {
  const workflows = walk(join(definitions, "workflows"));
  const files = [
    join(definitions, "config.json"),
    ...[...folders, ...workflows].flatMap(({ path, files }) => files.map((file) => join(path, file))),
  ];
  return [...files.flatMap(inspectFile), ...folders.flatMap(({ path }) => inspectFolderName(path))];
}

function inspectFile(path: string): Noted[] {
  const ending = extname(path).toLowerCase();
  if (ending === ".json") return [...inspectJson(path), ...inspectEnd(path)];
  if (ending === ".md") return [...inspectMarkdown(path), ...inspectEnd(path)];
  return [".yaml", ".yml"].includes(ending) ? inspectEnd(path) : [];
}

function inspectJson(path: string): Noted[] {
  const read = readJson(path);
  if ("malformed" in read) return [{ path, ...read.trouble }];
  const places = placesIn(path);
  if (places?.isTooDeep) return [tooDeep(path)];
  return (places?.duplicates ?? []).map(({ key, line }) => ({
    code: "duplicate-key",
    path,
    line,
    message: `the key "${key}" stands twice; the last one counts`,
    fix: "Delete one of the two.",
  }));
}

function tooDeep(path: string): Noted {
  const message = `it is nested deeper than ${deepestNamed} levels`;
  return { code: "cannot-be-used", path, line: 1, message, fix: "Write it flatter." };
}

function inspectMarkdown(path: string): Noted[] {
  const text = readText(path);
  if (text === undefined) return [unreadable(path)];
  if (text.trim() !== "" || /^readme\b/i.test(basename(path))) return [];
  const fix = "Write its text, or delete the file.";
  return [{ code: "empty-text", path, line: 1, message: "the file holds no text", fix }];
}

function unreadable(path: string): Noted {
  const fix = "Make it a text file that can be read, or delete it.";
  return { code: "cannot-be-used", path, line: 1, message: "the file cannot be read", fix };
}

function inspectEnd(path: string): Noted[] {
  const text = readText(path) ?? "";
  if (text.trim() === "" || !/\n[ \t\r]*\n[ \t\r]*$/.test(text)) return [];
  const line = text.trimEnd().split("\n").length + 1;
  const fix = "Delete the blank lines at its end.";
  const message = "the file ends in blank lines";
  return [{ code: "trailing-blank-lines", path, line, message, fix, mend: "end of file" }];
}

function inspectFolderName(path: string): Noted[] {
  const name = basename(path);
  const plain = /^\d+[_\-\s]+(.+)$/s.exec(name)?.[1];
  if (plain === undefined) return [];
  const message = `the number in front of ${name} is passed over: it is ${plain} everywhere else`;
  return [
    { code: "numbered-folder", path, line: 1, message, fix: `Name it ${plain}, where nothing else needs the number.` },
  ];
}
