import { basename, dirname, extname, join, relative, sep } from "node:path";
import { normalizeName } from "../../definitions/bots/definition-names.ts";
import { readText } from "../../definitions/files/json-file.ts";
import { type JsonPath, lineAt, lineOfPath } from "../../definitions/files/json-locations.ts";
import { valueIn } from "../../definitions/files/json-value.ts";
import { checkKeys } from "../../definitions/rules/read-checks.ts";
import { doKeys, dontKeys } from "../../definitions/rules/rule-examples.ts";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { isObject, type Json } from "../../kit/json.ts";
import type { DefinitionsSurvey } from "../load-for-check.ts";
import { findPlaceholderText } from "../placeholder-text.ts";
import type { ReportedFinding } from "../reported-finding.ts";

/** Reports TODOs and unfilled placeholders left in instructions, questions, criteria, assumptions and descriptions. */
export function inspectPlaceholderText({ definitions, folders }: DefinitionsSurvey): ReportedFinding[] {
  return folders
    .filter(({ path }) => !relative(definitions.folder, path).split(sep).some(isFormFolder))
    .flatMap(({ path, files }) => files.filter(isRead).map((file) => join(path, file)))
    .flatMap((path) =>
      extname(path).toLowerCase() === ".md" ? inMarkdown(definitions, path) : inJson(definitions, path),
    );
}

/** True for folders of templates, which are meant to be filled in later. */
function isFormFolder(name: string): boolean {
  return ["templates", "knowledge_graph"].includes(normalizeName(name));
}

function isRead(file: string): boolean {
  const name = normalizeName(basename(file, extname(file)));
  const isForm = ["readme", "knowledge_schema", "knowledge_template"].some((form) =>
    name.toLowerCase().startsWith(form),
  );
  return [".md", ".json"].includes(extname(file).toLowerCase()) && !isForm;
}

function inMarkdown(definitions: DefinitionSnapshot, path: string): ReportedFinding[] {
  // Examples in a rule show mistakes on purpose.
  if (["rule", "rules"].includes(normalizeName(basename(dirname(path))))) return [];
  const text = readText(definitions, path) ?? "";
  return findPlaceholderText(text).map(({ at, found }) => note(path, lineAt(text, at), found));
}

function inJson(definitions: DefinitionSnapshot, path: string): ReportedFinding[] {
  const value = valueIn(definitions, path);
  return textsIn(value ?? null, []).flatMap(({ text, at }) =>
    findPlaceholderText(text).map(({ found }) => note(path, lineOfPath(definitions, path, at), found)),
  );
}

function note(path: string, line: number, found: string): ReportedFinding {
  return {
    code: "left-over",
    path,
    line,
    message: `"${found}" is left in the text`,
    fix: "Replace it with the real text, or delete it.",
  };
}

const ignoredKeys = new Set([...doKeys, ...dontKeys, ...checkKeys, "examples", "example", "$schema", "pattern"]);
const deepest = 20;

function textsIn(value: Json, at: JsonPath): { readonly text: string; readonly at: JsonPath }[] {
  if (typeof value === "string") return [{ text: value, at }];
  if (at.length > deepest) return [];
  if (Array.isArray(value)) return value.flatMap((part: Json, index) => textsIn(part, [...at, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => (ignoredKeys.has(key) ? [] : textsIn(part, [...at, key])));
}
