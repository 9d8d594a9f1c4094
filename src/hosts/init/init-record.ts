import { createHash } from "node:crypto";
import { isAbsolute, join, relative } from "node:path";
import { isPathInside } from "../../kit/is-path-inside.ts";
import { readText } from "./read-text.ts";

/** The record of init's changes on this machine, so that they can be undone to the byte. */
export type InitRecord = {
  /** The hosts' files and .gitignore: whether init created them, and their digest afterwards. */
  readonly files: { readonly [path: string]: { readonly created: boolean; readonly after: string | null } };
  /** The digests of the files that init wrote in `.waymark/`. */
  readonly laid: { readonly [path: string]: string };
  /** The folders that init created. */
  readonly folders: readonly string[];
};

/** The folder of the backups and the record, which stays on this machine. */
export const backupsFolder = ".waymark/backups";
const recordFile = `${backupsFolder}/init.json`;

/** The path of the record. */
export function recordPath(root: string): string {
  return join(root, recordFile);
}

/** The path of a file's backup from before init first changed it. */
export function backupPath(root: string, path: string): string {
  return join(root, backupsFolder, isAbsolute(path) ? join("outside", path.replace(":", "")) : path);
}

/** Reads the record; empty if it is missing or invalid. */
export function readRecord(root: string): InitRecord {
  const read = readText(recordPath(root));
  try {
    const found: Partial<InitRecord> = JSON.parse(("text" in read && read.text) || "{}");
    return { ...nothing, ...found };
  } catch {
    return nothing;
  }
}

const nothing: InitRecord = { files: {}, laid: {}, folders: [] };

/** The text of the record's file. */
export function recordText(record: InitRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

/** A path as the record names it: relative to the root if it is inside. */
export function recordedPath(root: string, path: string): string {
  return isPathInside(root, path) ? relative(root, path).replaceAll("\\", "/") : path;
}

/** A digest to compare contents. */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
