import { createHash } from "node:crypto";
import { isAbsolute, join, relative } from "node:path";
import { liesIn } from "../paths/lies-in.ts";
import { readText } from "./read-text.ts";

/** What init did on this machine, so that it can be undone to the byte. */
export type InitRecord = {
  /** The hosts' files and .gitignore: whether init made them, and what they were when it left them. */
  readonly files: { readonly [path: string]: { readonly created: boolean; readonly after: string | null } };
  /** The files of `.waymark/` as init laid them down. */
  readonly laid: { readonly [path: string]: string };
  /** The folders that init made. */
  readonly folders: readonly string[];
};

/** The folder of the backups and the record; it stays on this machine. */
export const backupsFolder = ".waymark/backups";
const recordFile = `${backupsFolder}/init.json`;

/** Where the record stands. */
export function recordPath(root: string): string {
  return join(root, recordFile);
}

/** Where the file stands as it was before init first changed it. */
export function backupPath(root: string, path: string): string {
  return join(root, backupsFolder, isAbsolute(path) ? join("outside", path.replace(":", "")) : path);
}

/** Reads the record; one that is not there or not understood says nothing. */
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

/** A path as the record names it: from the root where it is inside. */
export function recorded(root: string, path: string): string {
  return liesIn(root, path) ? relative(root, path).replaceAll("\\", "/") : path;
}

/** What tells two contents apart. */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
