import { basename, extname } from "node:path";
import { definitionsOf } from "../bots/place.ts";
import { readJson, readText } from "../json-file.ts";
import { type Flaw, flawIn, type Remark } from "../problem.ts";
import { type Source, unusableIn } from "./found.ts";
import type { Piece } from "./pieces.ts";

/** Shows a template, schema or example as it stands, between fences. */
export function showForm(source: Source, path: string, problems: Flaw[]): Piece | undefined {
  const text = readText(path)?.trim();
  if (text === undefined || text.includes("\0")) {
    problems.push(flawIn(definitionsOf(source.tree), path, noText));
    return undefined;
  }
  const read = /\.json$/i.test(path) ? readJson(path) : { missing: true as const };
  if ("malformed" in read) problems.push(unusableIn(source, path, read));
  const shown = "value" in read ? withoutWhiteSpace(read.value, text) : text;
  return { name: basename(path), text: fenced(path, shown) };
}

const noText: Remark = {
  code: "cannot-be-used",
  message: "it cannot be shown: it is no text",
  fix: "Replace it with a text file, or delete it.",
};

/** The address of a schema's dialect tells an assistant nothing. */
const dialect = /^\{"\$schema":"https?:\/\/json-schema\.org\/[^"]*",/;

/** The model needs no white space in a schema; one nested too deep to be written is shown as it stands. */
function withoutWhiteSpace(value: unknown, text: string): string {
  try {
    return JSON.stringify(value).replace(dialect, "{");
  } catch {
    return text;
  }
}

function fenced(path: string, text: string): string {
  const marks = text.match(/`{3,}/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...marks.map((found) => found.length + 1)));
  return `${basename(path)}\n${fence}${extname(path).slice(1).toLowerCase()}\n${text}\n${fence}`;
}
