import { closeSync, constants, fsyncSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { SignedHeads } from "../../engine/ports/signed-heads.ts";
import { ioErrorCode } from "../../kit/io-errors.ts";
import { canonical } from "../../kit/json.ts";
import { parseHead } from "../parse-head.ts";
import { openPlain, readPlain } from "./plain-file.ts";
import { makeFolder } from "./safe-folder.ts";
import { streamPaths } from "./stream-paths.ts";

/** The signed heads of a project area: one file per stream, one head per line. */
export function fileHeads(area: string): SignedHeads {
  return {
    async read(id) {
      const lines = textAt(streamPaths(area, id).heads)
        .split("\n")
        .filter((line) => line.trim() !== "");
      const heads = lines.flatMap((line) => parseHead(line) ?? []);
      return { heads, unreadable: lines.length - heads.length };
    },
    async keep(id, head) {
      const file = streamPaths(area, id).heads;
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

/** Throws if a file exists but cannot be read, since it hides signed heads. */
function textAt(file: string): string {
  try {
    return readPlain(file).toString("utf8");
  } catch (error) {
    if (ioErrorCode(error) !== "ENOENT") throw error;
    return "";
  }
}
