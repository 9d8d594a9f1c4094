import { basename, extname } from "node:path";
import { definitionsOf } from "../bots/place.ts";
import { listFolder } from "../folder.ts";
import { readJson, readText } from "../json-file.ts";
import { type Flaw, flawIn, type Remark } from "../problem.ts";
import { findFiles, findFolders } from "./find-files.ts";
import { type Found, type Source, unusableIn } from "./found.ts";

const longestTemplate = 4_000;
const longestInAll = 24_000;

/** The schema or example that the knowledge of a behavior is built to. */
export function findKnowledgeTemplates(source: Source): Found {
  const { folder } = source.behavior;
  const folders = [...findFolders(folder, "knowledge_graph"), ...findFolders(folder, "content", "knowledge_graph")];
  return show(source, [
    ...findFiles(folder, [".json", ".md"], ["knowledge_schema", "knowledge_template"]),
    ...folders.flatMap((place) => findFiles(place, [".json", ".md"])),
  ]);
}

/** The templates that a behavior's output is rendered with. */
export function findRenderTemplates(source: Source): Found {
  const { folder } = source.behavior;
  const folders = [
    ["templates"],
    ["content", "templates"],
    ["render", "templates"],
    ["content", "render", "templates"],
  ];
  return show(
    source,
    folders
      .flatMap((names) => findFolders(folder, ...names))
      .flatMap((place) =>
        findFiles(place, [...new Set(listFolder(place).files.map((file) => extname(file).toLowerCase()))]),
      ),
  );
}

function show(source: Source, files: readonly string[]): Found {
  const problems: Flaw[] = [];
  const parts: string[] = [];
  let room = longestInAll;
  for (const file of files) {
    const text = readText(file)?.trim();
    if (text === undefined || text.includes("\0")) {
      problems.push(flawIn(definitionsOf(source.tree), file, noText));
      continue;
    }
    const read = /\.json$/i.test(file) ? readJson(file) : { missing: true as const };
    const shown = "value" in read ? withoutWhiteSpace(read.value, text) : text;
    if ("malformed" in read) problems.push(unusableIn(source, file, read));
    const part = fenced(file, shown, room);
    room -= part.length;
    parts.push(part);
  }
  return { text: parts.join("\n\n"), problems };
}

const noText: Remark = {
  code: "cannot-be-used",
  message: "it cannot be shown: it is no text",
  fix: "Replace it with a text file, or delete it.",
};

const dialect = /^\{"\$schema":"https?:\/\/json-schema\.org\/[^"]*",/;

/** The model needs neither white space in a schema nor the address of its dialect; one nested too deep to be written is shown as it stands. */
function withoutWhiteSpace(value: unknown, text: string): string {
  try {
    return JSON.stringify(value).replace(dialect, "{");
  } catch {
    return text;
  }
}

function fenced(file: string, text: string, room: number): string {
  if (room < 200) return `${basename(file)}: read it in ${file}`;
  const most = Math.min(longestTemplate, room);
  const note =
    text.length > most ? `\n(cut after ${most} of ${text.length} characters; the whole file is ${file})` : "";
  const shown = text.slice(0, most);
  const marks = shown.match(/`{3,}/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...marks.map((mark) => mark.length + 1)));
  return `${basename(file)}\n${fence}${extname(file).slice(1).toLowerCase()}\n${shown}\n${fence}${note}`;
}
