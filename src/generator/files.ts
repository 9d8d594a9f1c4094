import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Files of a package: their bytes by path, with forward slashes. */
export type Files = ReadonlyMap<string, Uint8Array>;

/** The file that starts a generated server: the only one that is executable. */
export const entryFile = "server.js";

/** Writes files below a folder, making the folders they need. */
export function writeFiles(folder: string, files: Files): void {
  for (const [path, bytes] of files) {
    const target = join(folder, ...path.split("/"));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes);
    if (path === entryFile) chmodSync(target, 0o755);
  }
}

/** A text as the bytes of a file. */
export function textFile(text: string): Uint8Array {
  return Buffer.from(text, "utf8");
}

/** A value as the bytes of a JSON file, the same on every machine. */
export function jsonFile(value: unknown): Uint8Array {
  return textFile(`${JSON.stringify(value, null, 2)}\n`);
}

/** The same files in the order of their paths: what is written must not depend on who listed them first. */
export function inOrder(files: Iterable<readonly [string, Uint8Array]>): Files {
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

/** The same files one folder deeper. */
export function below(folder: string, files: Files): Files {
  return new Map([...files].map(([path, bytes]) => [`${folder}/${path}`, bytes]));
}

/** How many bytes the files below a folder come to; of all of them, where none is named. */
export function sizeOf(files: Files, folder = ""): number {
  return [...files].reduce((sum, [path, bytes]) => (path.startsWith(folder) ? sum + bytes.length : sum), 0);
}
