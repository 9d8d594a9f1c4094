import { basename, dirname, extname, join, relative, sep } from "node:path";
import { isObject, type Json } from "../../evidence/json.ts";
import { asName } from "../bots/names.ts";
import { readText } from "../json-file.ts";
import { type JsonPath, lineAt, lineIn } from "../json-place.ts";
import { valueIn } from "../json-value.ts";
import { doKeys, dontKeys } from "../rules/examples.ts";
import { checkKeys } from "../rules/read-checks.ts";
import type { Noted } from "./finding.ts";
import { findLeftOvers } from "./left-overs.ts";
import type { Survey } from "./survey.ts";

/** Reports what an author meant to write and did not: in instructions, questions, criteria, assumptions and descriptions. */
export function inspectLeftOvers({ definitions, folders }: Survey): Noted[] {
  return folders
    .filter(({ path }) => !relative(definitions, path).split(sep).some(isFormFolder))
    .flatMap(({ path, files }) => files.filter(isRead).map((file) => join(path, file)))
    .flatMap((path) => (extname(path).toLowerCase() === ".md" ? inMarkdown(path) : inJson(path)));
}

/** Forms are there to be filled in: a template holds what looks like a left-over, and is none. */
function isFormFolder(name: string): boolean {
  return ["templates", "knowledge_graph"].includes(asName(name));
}

function isRead(file: string): boolean {
  const name = asName(basename(file, extname(file)));
  const isForm = ["readme", "knowledge_schema", "knowledge_template"].some((form) =>
    name.toLowerCase().startsWith(form),
  );
  return [".md", ".json"].includes(extname(file).toLowerCase()) && !isForm;
}

function inMarkdown(path: string): Noted[] {
  // The examples of a rule show what is wrong.
  if (["rule", "rules"].includes(asName(basename(dirname(path))))) return [];
  const text = readText(path) ?? "";
  return findLeftOvers(text).map(({ at, found }) => note(path, lineAt(text, at), found));
}

function inJson(path: string): Noted[] {
  const value = valueIn(path);
  return textsIn(value ?? null, []).flatMap(({ text, at }) =>
    findLeftOvers(text).map(({ found }) => note(path, lineIn(path, at), found)),
  );
}

function note(path: string, line: number, found: string): Noted {
  return {
    code: "left-over",
    path,
    line,
    message: `"${found}" is left in the text`,
    fix: "Write what is meant, or take it out.",
  };
}

const aside = new Set([...doKeys, ...dontKeys, ...checkKeys, "examples", "example", "$schema", "pattern"]);
const deepest = 20;

function textsIn(value: Json, at: JsonPath): { readonly text: string; readonly at: JsonPath }[] {
  if (typeof value === "string") return [{ text: value, at }];
  if (at.length > deepest) return [];
  if (Array.isArray(value)) return value.flatMap((part: Json, index) => textsIn(part, [...at, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => (aside.has(key) ? [] : textsIn(part, [...at, key])));
}
