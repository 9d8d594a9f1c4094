import { closeSync, constants, fsyncSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Heads } from "../../audit/ports.ts";
import type { DeskId } from "../../engine/ports.ts";
import { canonical } from "../../evidence/json.ts";
import { readHead } from "../signed-head.ts";
import { faultCode } from "./faults.ts";
import { encodeName, ownFolder, runPath } from "./places.ts";
import { openPlain, readPlain } from "./plain-file.ts";
import { signedSession } from "./traces.ts";
import { makeFolder } from "./way.ts";

/** The signed heads of a project area: a file for each desk, one head a line. */
export function fileHeads(area: string): Heads {
  const fileOf = ({ kind, name, run }: DeskId): string => {
    const path = kind === "bot" ? runPath(name, run) : [encodeName(`${signedSession}${name}`)];
    return `${join(ownFolder(area), "heads", ...path)}.jsonl`;
  };
  return {
    async read(id) {
      const lines = textAt(fileOf(id))
        .split("\n")
        .filter((line) => line.trim() !== "");
      const heads = lines.flatMap((line) => readHead(line) ?? []);
      return { heads, unreadable: lines.length - heads.length };
    },
    async keep(id, head) {
      const file = fileOf(id);
      makeFolder(dirname(file));
      const fd = openPlain(file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT);
      try {
        writeSync(fd, `${canonical(head)}\n`);
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
    },
  };
}

/** A file that is there and cannot be read hides what was signed: that is for whoever asks to hear. */
function textAt(file: string): string {
  try {
    return readPlain(file).toString("utf8");
  } catch (error) {
    if (faultCode(error) !== "ENOENT") throw error;
    return "";
  }
}
