import { join } from "node:path";
import type { DefinitionSnapshot } from "../engine/ports/definition-snapshot.ts";
import { yaml } from "../kit/libraries.ts";
import { frontMatterOf, headOf } from "./chunks/document-head.ts";
import { listStandards } from "./index/list-standards.ts";
import { readAhead } from "./index/read-ahead.ts";
import { readDocument } from "./index/read-document.ts";

/** Reads a folder of standards the way the index does, for findings about it. */
export async function reviewStandards(definitions: DefinitionSnapshot) {
  const { files, troubles } = listStandards(definitions);
  const folder = join(definitions.folder, "standards");
  const documents = new Map<string, ReturnType<typeof describeText> & { readonly unsearched?: string }>();
  for await (const [file, reading] of readAhead(files.keys(), (name) => readDocument(join(folder, name)))) {
    if (reading.kind === "text") documents.set(file, describeText(reading.text));
    if (reading.kind === "head") documents.set(file, { ...describeText(reading.head), unsearched: reading.problem });
  }
  return { files: [...files.keys()], troubles, read: (file: string) => documents.get(file) };
}

function describeText(text: string) {
  const { belongs, problem, end } = frontMatterOf(text);
  const hasHead = end > 0 || problem !== undefined;
  const keys = hasHead ? keysIn(text) : new Map<string, number>();
  return {
    belongs,
    ...(problem === undefined ? {} : { misread: frontMatterError(text, keys) }),
    keys,
    isEmpty: !hasText(text.slice(end)),
  };
}

function hasText(body: string): boolean {
  return body.split("\n").some((line) => line.trim() !== "" && !/^ {0,3}#{1,6}(?:\s|$)/.test(line));
}

function keysIn(text: string): ReadonlyMap<string, number> {
  const { source, firstLine } = headOf(text);
  const keys = new Map<string, number>();
  source.split("\n").forEach((line, at) => {
    const [, key] = /^["']?([\w-]+)["']?\s*:/.exec(line) ?? [];
    if (key !== undefined && !keys.has(key.toLowerCase())) keys.set(key.toLowerCase(), firstLine + at);
  });
  return keys;
}

/** Finds the error in front matter: no end, invalid YAML, or an invalid owner. */
function frontMatterError(text: string, keys: ReadonlyMap<string, number>): { line: number; message: string } {
  const { source, firstLine, isClosed } = headOf(text);
  if (!isClosed) return { line: firstLine - 1, message: "it has no closing ---" };
  try {
    yaml().parse(source, { maxAliasCount: 0, logLevel: "error" });
  } catch (error) {
    const isPlaced = error instanceof yaml().YAMLParseError;
    const line = isPlaced ? (error.linePos?.[0].line ?? 1) : 1;
    const [why = ""] = isPlaced ? error.message.split(/ at line \d|\n/) : ["aliases are not followed"];
    return { line: firstLine + line - 1, message: `it is not plain YAML: ${why}` };
  }
  const line = keys.get("phase") ?? keys.get("phases") ?? keys.get("workflow") ?? firstLine;
  return { line, message: "workflow must be a name, phase a number or a list of numbers" };
}
