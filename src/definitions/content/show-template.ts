import { basename, extname } from "node:path";
import { readJson, readText } from "../files/json-file.ts";
import { type JsonProblem, type LoaderProblem, locateProblem } from "../loader-problem.ts";
import type { MaterialPiece } from "./material-pieces.ts";
import { type MaterialSource, unusableFile } from "./material-source.ts";

/** Shows a template, schema or example as it is, between fences. */
export function showForm(source: MaterialSource, path: string, problems: LoaderProblem[]): MaterialPiece | undefined {
  const text = readText(source.definitions, path)?.trim();
  if (text === undefined || text.includes("\0")) {
    problems.push(locateProblem(source.definitions, path, noText));
    return undefined;
  }
  const read = /\.json$/i.test(path) ? readJson(source.definitions, path) : { missing: true as const };
  if ("malformed" in read) problems.push(unusableFile(source, path, read));
  const shown = "value" in read ? withoutWhiteSpace(read.value, text) : text;
  return { name: basename(path), text: fenced(path, shown) };
}

const noText: JsonProblem = {
  code: "cannot-be-used",
  message: "the file cannot be shown because it is not text",
  fix: "Replace it with a text file, or delete it.",
};

/** The URL of a schema's dialect, which is useless to an assistant. */
const dialect = /^\{"\$schema":"https?:\/\/json-schema\.org\/[^"]*",/;

/** Removes white space from a schema; one nested too deep to be serialized stays as it is. */
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
