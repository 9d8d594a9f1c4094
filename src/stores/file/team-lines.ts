import { closeSync, constants, fdatasyncSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { ioErrorCode } from "../../kit/io-errors.ts";
import { type JsonObject, parsedObject } from "../../kit/json.ts";
import { readPlain } from "./plain-file.ts";
import { atPath, makeFolder } from "./safe-folder.ts";

/** The lines of an append-only file; `unreadable` counts those cut by a crash or damaged. */
export type TeamLines = { readonly lines: readonly JsonObject[]; readonly unreadable: number };

/** Reads a team file; a missing one has no lines. */
export function readLines(file: string): TeamLines {
  let text: string;
  try {
    text = readPlain(file).toString("utf8");
  } catch (error) {
    if (ioErrorCode(error) === "ENOENT") return { lines: [], unreadable: 0 };
    throw error;
  }
  const written = text.split("\n").filter((line) => line.trim() !== "");
  const lines = written.map(parsedObject).filter((line) => line !== undefined);
  return { lines, unreadable: written.length - lines.length };
}

/** Appends a line durably; a torn line before it stays separate. */
export function appendLine(file: string, line: object): void {
  makeFolder(dirname(file));
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  const fd = atPath(file, (at) => openSync(at, flags, 0o600));
  try {
    writeSync(fd, `\n${JSON.stringify(line)}\n`);
    fdatasyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
