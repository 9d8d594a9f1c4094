import { closeSync, constants, fdatasyncSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { isObject, type JsonObject } from "../../evidence/json.ts";
import { faultCode } from "./faults.ts";
import { readPlain } from "./plain-file.ts";
import { makeFolder, reach } from "./way.ts";

/** The lines of a file that is only ever appended to; `unreadable`: how many say nothing, cut short by a crash or damaged since. */
export type TeamLines = { readonly lines: readonly JsonObject[]; readonly unreadable: number };

/** Reads a file of a team's own; one that is not there has no lines. */
export function readLines(file: string): TeamLines {
  let text: string;
  try {
    text = readPlain(file).toString("utf8");
  } catch (error) {
    if (faultCode(error) === "ENOENT") return { lines: [], unreadable: 0 };
    throw error;
  }
  const written = text.split("\n").filter((line) => line.trim() !== "");
  const lines = written.map(parsed).filter((line) => line !== undefined);
  return { lines, unreadable: written.length - lines.length };
}

/** Adds a line, for good once this returns. One that was cut short before it stays apart. */
export function appendLine(file: string, line: object): void {
  makeFolder(dirname(file));
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  const fd = reach(file, (at) => openSync(at, flags, 0o600));
  try {
    writeSync(fd, `\n${JSON.stringify(line)}\n`);
    fdatasyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function parsed(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
