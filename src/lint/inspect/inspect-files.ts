import { basename, extname, join } from "node:path";
import { readJson, readText } from "../../definitions/files/json-file.ts";
import { locationsIn, maxNesting } from "../../definitions/files/json-locations.ts";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { type DefinitionsSurvey, walkFolders } from "../load-for-check.ts";
import type { ReportedFinding } from "../reported-finding.ts";

/** Reports problems of any file or folder: unreadable JSON, empty texts, untidy names and endings. */
export function inspectFiles({ definitions, folders }: DefinitionsSurvey): ReportedFinding[] {
  const workflows = walkFolders(definitions, join(definitions.folder, "workflows"));
  const files = [
    join(definitions.folder, "config.json"),
    ...[...folders, ...workflows].flatMap(({ path, files }) => files.map((file) => join(path, file))),
  ];
  return [
    ...files.flatMap((one) => inspectFile(definitions, one)),
    ...folders.flatMap(({ path }) => inspectFolderName(path)),
  ];
}

function inspectFile(definitions: DefinitionSnapshot, path: string): ReportedFinding[] {
  const ending = extname(path).toLowerCase();
  if (ending === ".json") return [...inspectJson(definitions, path), ...inspectEnd(definitions, path)];
  if (ending === ".md") return [...inspectMarkdown(definitions, path), ...inspectEnd(definitions, path)];
  return [".yaml", ".yml"].includes(ending) ? inspectEnd(definitions, path) : [];
}

function inspectJson(definitions: DefinitionSnapshot, path: string): ReportedFinding[] {
  const read = readJson(definitions, path);
  if ("malformed" in read) return [{ path, ...read.error }];
  const places = locationsIn(definitions, path);
  if (places?.isTooDeep) return [tooDeep(path)];
  return (places?.duplicates ?? []).map(({ key, line }) => ({
    code: "duplicate-key",
    path,
    line,
    message: `the key "${key}" appears twice; the last one counts`,
    fix: "Delete one of them.",
  }));
}

function tooDeep(path: string): ReportedFinding {
  const message = `the file is nested more than ${maxNesting} levels deep`;
  return { code: "cannot-be-used", path, line: 1, message, fix: "Flatten it." };
}

function inspectMarkdown(definitions: DefinitionSnapshot, path: string): ReportedFinding[] {
  const text = readText(definitions, path);
  if (text === undefined) return [unreadable(path)];
  if (text.trim() !== "" || /^readme\b/i.test(basename(path))) return [];
  const fix = "Add text, or delete the file.";
  return [{ code: "empty-text", path, line: 1, message: "the file has no text", fix }];
}

function unreadable(path: string): ReportedFinding {
  const fix = "Replace it with a readable text file, or delete it.";
  return { code: "cannot-be-used", path, line: 1, message: "the file cannot be read", fix };
}

function inspectEnd(definitions: DefinitionSnapshot, path: string): ReportedFinding[] {
  const text = readText(definitions, path) ?? "";
  if (text.trim() === "" || !/\n[ \t\r]*\n[ \t\r]*$/.test(text)) return [];
  const line = text.trimEnd().split("\n").length + 1;
  const fix = "Delete the blank lines at the end.";
  const message = "the file ends with blank lines";
  return [{ code: "trailing-blank-lines", path, line, message, fix, edit: "end of file" }];
}

function inspectFolderName(path: string): ReportedFinding[] {
  const name = basename(path);
  const plain = /^\d+[_\-\s]+(.+)$/s.exec(name)?.[1];
  if (plain === undefined) return [];
  const message = `the number prefix of ${name} is ignored; everywhere else it is called ${plain}`;
  return [
    {
      code: "numbered-folder",
      path,
      line: 1,
      message,
      fix: `Rename it to ${plain}, unless something else needs the number.`,
    },
  ];
}
