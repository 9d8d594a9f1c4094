import type { Json } from "../../evidence/json.ts";
import { definitionsOf } from "../bots/place.ts";
import type { BehaviorFolder, BotTree } from "../bots/tree.ts";
import { type JsonRead, readJson, readText } from "../json-file.ts";
import { type Flaw, unreadableIn } from "../problem.ts";
import { shownIn } from "../shown.ts";
import type { Piece } from "./pieces.ts";

/** A material for a step, without pieces where there is none; and what its author should know. */
export type Found = {
  readonly pieces: readonly Piece[];
  /** Instructions that stand beside it, to be filled in. */
  readonly leads?: readonly Lead[];
  readonly problems: readonly Flaw[];
  /** Where it has more to say than the usual heading. */
  readonly title?: string;
};

/** Instructions for one material, and the file they stand in. */
export type Lead = { readonly text: string; readonly path: string };

/** Where a step's material is looked for. */
export type Source = { readonly tree: BotTree; readonly behavior: BehaviorFolder };

/** A material of one piece; none where there is no text. */
export function onePiece(name: string, text: string): readonly Piece[] {
  return text === "" ? [] : [{ name, text }];
}

/** Reads what a material file says: the value of a JSON file, the items of a Markdown file. */
export function readMaterial(source: Source, path: string, problems: Flaw[]): Json | undefined {
  if (/\.md$/i.test(path)) return itemsInMarkdown(readText(path) ?? "");
  const read = readJson(path);
  if ("malformed" in read) problems.push(unusableIn(source, path, read));
  return "value" in read ? read.value : undefined;
}

/** What is wrong with a file that cannot be read as JSON. */
export function unusableIn(source: Pick<Source, "tree">, path: string, { trouble }: Malformed): Flaw {
  return unreadableIn(definitionsOf(source.tree), path, trouble, `it cannot be used: ${trouble.message}`);
}

type Malformed = Extract<JsonRead, { malformed: string }>;

/** A file's path as a reader of a message wants it. */
export function shownPath({ tree }: Pick<Source, "tree">, path: string): string {
  return shownIn(definitionsOf(tree), path);
}

/** The list items of a Markdown text; where it has none, its paragraphs. */
function itemsInMarkdown(text: string): string[] {
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*#/.test(line));
  const items = lines.flatMap((line) => /^\s*(?:[-*+]|\d{1,3}[.)])\s+(.+)$/.exec(line)?.[1]?.trim() ?? []);
  if (items.length > 0) return items;
  return lines
    .join("\n")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "");
}
