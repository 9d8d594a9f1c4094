import { basename, extname, join } from "node:path";
import { readJson, readText } from "../../definitions/files/json-file.ts";
import { locationsIn, maxNesting } from "../../definitions/files/json-locations.ts";
import { type DefinitionsSurvey, walkFolders } from "../load-for-check.ts";
import type { ReportedFinding } from "../reported-finding.ts";

/** Reports problems of any file or folder: unreadable JSON, empty texts, untidy names and endings. */
export function inspectFiles({ definitions, folders }: DefinitionsSurvey): ReportedFinding[] {
  const workflows = walkFolders(join(definitions, "workflows"));
  const files = [
    join(definitions, "config.json"),
    ...[...folders, ...workflows].flatMap(({ path, files }) => files.map((file) => join(path, file))),
  ];
  return [...files.flatMap(inspectFile), ...folders.flatMap(({ path }) => inspectFolderName(path))];
}

function inspectFile(path: string): ReportedFinding[] {
  const ending = extname(path).toLowerCase();
  if (ending === ".json") return [...inspectJson(path), ...inspectEnd(path)];
  if (ending === ".md") return [...inspectMarkdown(path), ...inspectEnd(path)];
  return [".yaml", ".yml"].includes(ending) ? inspectEnd(path) : [];
}

function inspectJson(path: string): ReportedFinding[] {
  const read = readJson(path);
  if ("malformed" in read) return [{ path, ...read.error }];
  const places = locationsIn(path);
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

function inspectMarkdown(path: string): ReportedFinding[] {
  const text = readText(path);
  if (text === undefined) return [unreadable(path)];
  if (text.trim() !== "" || /^readme\b/i.test(basename(path))) return [];
  const fix = "Add text, or delete the file.";
  return [{ code: "empty-text", path, line: 1, message: "the file has no text", fix }];
}

function unreadable(path: string): ReportedFinding {
  const fix = "Replace it with a readable text file, or delete it.";
  return { code: "cannot-be-used", path, line: 1, message: "the file cannot be read", fix };
}

function inspectEnd(path: string): ReportedFinding[] {
  const text = readText(path) ?? "";
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
