import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The files of a package: their bytes by path, with forward slashes. */
export type Files = ReadonlyMap<string, Uint8Array>;

/** The entry file of a generated server, the only executable one. */
export const entryFile = "server.js";

/** Writes files below a folder and creates the folders they need. */
export function writeFiles(folder: string, files: Files): void {
  for (const [path, bytes] of files) {
    const target = join(folder, ...path.split("/"));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes);
    if (path === entryFile) chmodSync(target, 0o755);
  }
}

/** Encodes a text as the bytes of a file. */
export function textFile(text: string): Uint8Array {
  return Buffer.from(text, "utf8");
}

/** Encodes a value as a JSON file, the same on every machine. */
export function jsonFile(value: unknown): Uint8Array {
  return textFile(`${JSON.stringify(value, null, 2)}\n`);
}

/** Sorts files by path, so that the output does not depend on who listed them. */
export function inOrder(files: Iterable<readonly [string, Uint8Array]>): Files {
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

/** Moves files one folder deeper. */
export function below(folder: string, files: Files): Files {
  return new Map([...files].map(([path, bytes]) => [`${folder}/${path}`, bytes]));
}

/** The total size of the files below a folder, or of all files. */
export function sizeOf(files: Files, folder = ""): number {
  return [...files].reduce((sum, [path, bytes]) => (path.startsWith(folder) ? sum + bytes.length : sum), 0);
}
