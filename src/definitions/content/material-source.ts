import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import type { Json } from "../../kit/json.ts";
import type { BehaviorFolder, BotTree } from "../bots/tree.ts";
import { type JsonRead, readJson, readText } from "../files/json-file.ts";
import { type LoaderProblem, unreadableProblem } from "../loader-problem.ts";
import { displayPath } from "../snapshot/display-path.ts";
import type { MaterialPiece } from "./material-pieces.ts";

/** A material for a step, without pieces if there is none, and problems for its author. */
export type MaterialFound = {
  readonly pieces: readonly MaterialPiece[];
  /** Instructions beside the material, with placeholders to fill. */
  readonly leads?: readonly LeadText[];
  readonly problems: readonly LoaderProblem[];
  /** A heading that replaces the usual one. */
  readonly title?: string;
};

/** Instructions for one material, with their file. */
export type LeadText = { readonly text: string; readonly path: string };

/** The bot and behavior whose material is searched. */
export type MaterialSource = {
  readonly definitions: DefinitionSnapshot;
  readonly tree: BotTree;
  readonly behavior: BehaviorFolder;
};

/** A material of one piece, or none if the text is empty. */
export function onePiece(name: string, text: string): readonly MaterialPiece[] {
  return text === "" ? [] : [{ name, text }];
}

/** Reads a material file: the value of a JSON file, or the items of a Markdown file. */
export function readMaterial(source: MaterialSource, path: string, problems: LoaderProblem[]): Json | undefined {
  if (/\.md$/i.test(path)) return itemsInMarkdown(readText(source.definitions, path) ?? "");
  const read = readJson(source.definitions, path);
  if ("malformed" in read) problems.push(unusableFile(source, path, read));
  return "value" in read ? read.value : undefined;
}

/** The problem of a file that is not valid JSON. */
export function unusableFile(
  source: Pick<MaterialSource, "definitions" | "tree">,
  path: string,
  { error }: Malformed,
): LoaderProblem {
  return unreadableProblem(source.definitions, path, error, `it cannot be used: ${error.message}`);
}

type Malformed = Extract<JsonRead, { malformed: string }>;

/** A file's path as messages show it. */
export function displayPathOf({ definitions }: Pick<MaterialSource, "definitions">, path: string): string {
  return displayPath(definitions.folder, path);
}

/** The list items of a Markdown text, or its paragraphs if it has none. */
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
