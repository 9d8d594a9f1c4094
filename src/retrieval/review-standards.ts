import { join } from "node:path";
import type { DefinitionSnapshot } from "../engine/ports/definition-snapshot.ts";
import { yaml } from "../kit/libraries.ts";
import { frontMatterOf, headOf, type Ownership } from "./chunks/document-head.ts";
import { listStandards, type StandardsIssue } from "./index/list-standards.ts";
import { readAhead } from "./index/read-ahead.ts";
import { readDocument } from "./index/read-document.ts";

/** A folder of standards as `check` sees it, read in advance. */
export type StandardsReview = {
  readonly files: readonly string[];
  readonly troubles: readonly StandardsIssue[];
  /** Returns one document; undefined if it does not exist. */
  read(file: string): StandardReview | undefined;
};

/** One standard as `check` sees it. */
export type StandardReview = {
  readonly belongs: Ownership;
  /** The reason it is not searched. */
  readonly unsearched?: string;
  /** The reason its front matter cannot be read, with the line. */
  readonly misread?: { readonly line: number; readonly message: string };
  /** The keys of its front matter, in lower case, with their lines. */
  readonly keys: ReadonlyMap<string, number>;
  /** True if it has headings but no text. */
  readonly isEmpty: boolean;
};

/** Reads a folder of standards the way the index does, for findings about it. */
export async function reviewStandards(definitions: DefinitionSnapshot): Promise<StandardsReview> {
  const { files, troubles } = listStandards(definitions);
  const folder = join(definitions.folder, "standards");
  const documents = new Map<string, StandardReview>();
  for await (const [file, reading] of readAhead(files.keys(), (name) => readDocument(join(folder, name)))) {
    if (reading.kind === "text") documents.set(file, describeText(reading.text));
    if (reading.kind === "head") documents.set(file, { ...describeText(reading.head), unsearched: reading.problem });
  }
  return { files: [...files.keys()], troubles, read: (file) => documents.get(file) };
}

function describeText(text: string): StandardReview {
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
