import { join } from "node:path";
import { yaml } from "../libraries.ts";
import { type Belonging, frontMatterOf, headOf } from "./chunks/front-matter.ts";
import { look, type Trouble } from "./index/look.ts";
import { readAhead } from "./index/read-ahead.ts";
import { readDocument } from "./index/read-document.ts";

/** A folder of standards as its authors should see it; read beforehand. */
export type AuthorsView = {
  readonly files: readonly string[];
  readonly troubles: readonly Trouble[];
  /** One document; undefined where it is gone. */
  read(file: string): AuthorsDocument | undefined;
};

/** One standard as its author should see it. */
export type AuthorsDocument = {
  readonly belongs: Belonging;
  /** Why it is not searched. */
  readonly unsearched?: string;
  /** Why its front matter is not understood, and the line. */
  readonly misread?: { readonly line: number; readonly message: string };
  /** The keys of its front matter, in lower case, with their lines. */
  readonly keys: ReadonlyMap<string, number>;
  /** True where nothing stands below its headings. */
  readonly isEmpty: boolean;
};

/** Looks at a folder of standards the way the index does, for whoever says what is wrong with it. */
export async function authorsView(folder: string): Promise<AuthorsView> {
  const { files, troubles } = await look(folder);
  const documents = new Map<string, AuthorsDocument>();
  for await (const [file, reading] of readAhead(files.keys(), (name) => readDocument(join(folder, name)))) {
    if (reading.kind === "text") documents.set(file, describeText(reading.text));
    if (reading.kind === "head") documents.set(file, { ...describeText(reading.head), unsearched: reading.problem });
  }
  return { files: [...files.keys()], troubles, read: (file) => documents.get(file) };
}

function describeText(text: string): AuthorsDocument {
  const { belongs, problem, end } = frontMatterOf(text);
  const hasHead = end > 0 || problem !== undefined;
  const keys = hasHead ? keysIn(text) : new Map<string, number>();
  return {
    belongs,
    ...(problem === undefined ? {} : { misread: misreading(text, keys) }),
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

/** What keeps a head from being understood: that it does not end, its YAML, or what it says of its owner. */
function misreading(text: string, keys: ReadonlyMap<string, number>): { line: number; message: string } {
  const { source, firstLine, isClosed } = headOf(text);
  if (!isClosed) return { line: firstLine - 1, message: "it has no --- at its end" };
  try {
    yaml().parse(source, { maxAliasCount: 0, logLevel: "error" });
  } catch (error) {
    const isPlaced = error instanceof yaml().YAMLParseError;
    const line = isPlaced ? (error.linePos?.[0].line ?? 1) : 1;
    const [why = ""] = isPlaced ? error.message.split(/ at line \d|\n/) : ["aliases are not followed"];
    return { line: firstLine + line - 1, message: `it is no plain YAML: ${why}` };
  }
  const line = keys.get("phase") ?? keys.get("phases") ?? keys.get("workflow") ?? firstLine;
  return { line, message: "workflow takes a name, phase a number or a list of numbers" };
}
