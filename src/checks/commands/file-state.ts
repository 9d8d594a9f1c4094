import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { mostHashed, sha256File } from "../files/read-plain.ts";

/** A file as it is now: its content, nothing, or the reason it cannot be read. The stamp tells one write of it from another. */
export type FileState =
  | { readonly bytes: Buffer; readonly stamp: string }
  | { readonly absent: true }
  | { readonly unreadable: string; readonly stamp?: string };

const mostBytes = 8 << 20;

/** Reads a file that something depends on; never waits for a pipe. */
export async function readState(path: string): Promise<FileState> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await file.stat({ bigint: true });
      const stamp = [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join("-");
      if (!found.isFile()) return { unreadable: found.isDirectory() ? "a folder" : "not a plain file" };
      if (found.size > mostHashed) return { unreadable: `too large: ${found.size}-${found.ctimeNs}`, stamp };
      if (found.size > mostBytes) return { unreadable: `sha256 ${await sha256File(file)}`, stamp };
      return { bytes: await file.readFile(), stamp };
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "an error";
    return code === "ENOENT" || code === "ENOTDIR" ? { absent: true } : { unreadable: code };
  }
}
