import type { Dirent } from "node:fs";
import { lstat, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isPathInside } from "../../kit/is-path-inside.ts";
import { realPath } from "../../kit/real-path.ts";
import { readAhead } from "./read-ahead.ts";

/** The current files of a standards folder. */
export type FolderState = {
  /** Files by relative path, with their identities. */
  readonly files: ReadonlyMap<string, FileIdentity>;
  /** Every folder that was listed. */
  readonly folders: readonly string[];
  readonly troubles: readonly StandardsIssue[];
};

/** Something that is not searched, and why; an empty file name means the folder itself. */
export type StandardsIssue = {
  readonly file: string;
  readonly kind: "leaves" | "unreadable";
  readonly message: string;
};

/** A file's identity from its stats, without reading it. */
export type FileIdentity = { readonly key: string; readonly changed: number };

/** Lists every Markdown file below a folder; links are not followed. */
export async function listStandards(folder: string): Promise<FolderState> {
  const root = await realPath(folder);
  if (root === undefined) return nothing;
  const around = await realPath(dirname(folder));
  if (around === undefined || !isPathInside(around, root))
    return { ...nothing, troubles: [{ file: "", kind: "leaves", message: folderLeaves }] };
  const { folders, standards, links, troubles } = await walk(root);
  const files: [string, FileIdentity][] = [];
  for await (const [{ name }, identity] of readAhead(standards, ({ path }) => identityAt(path)))
    if (identity !== undefined) files.push([name, identity]);
  for await (const [{ name }, isOutside] of readAhead(links, ({ path }) => leadsOutside(root, path)))
    if (isOutside) troubles.push({ file: name, kind: "leaves", message: leavesFolder });
  return {
    files: new Map(files.sort(([a], [b]) => (a < b ? -1 : 1))),
    folders,
    troubles: troubles.sort((a, b) => (a.file < b.file ? -1 : 1)),
  };
}

/** Formats a trouble as a sentence. */
export function issueText({ file, message }: StandardsIssue): string {
  return `${file === "" ? "The standards folder" : file} ${message}.`;
}

const nothing: FolderState = { files: new Map(), folders: [], troubles: [] };
const folderLeaves = "is a link to a place outside the definitions folder and is not followed";
const leavesFolder = "is a link to a place outside the standards folder and is not followed";
const isStandard = /\.(?:md|markdown)$/i;
const passedOver = new Set([".git", "node_modules"]);

/** An entry: its name relative to the standards folder, and its path. */
type StandardEntry = { readonly name: string; readonly path: string };
type WalkedFolder = {
  folders: string[];
  standards: StandardEntry[];
  links: StandardEntry[];
  troubles: StandardsIssue[];
};

async function walk(root: string): Promise<WalkedFolder> {
  const walked: WalkedFolder = { folders: [], standards: [], links: [], troubles: [] };
  let level: StandardEntry[] = [{ name: "", path: root }];
  while (level.length > 0) {
    const deeper: StandardEntry[] = [];
    for await (const [folder, entries] of readAhead(level, entriesOf)) {
      walked.folders.push(folder.path);
      if (entries === undefined)
        walked.troubles.push({ file: folder.name, kind: "unreadable", message: "cannot be read" });
      for (const entry of entries ?? []) {
        const name = folder.name === "" ? entry.name : `${folder.name}/${entry.name}`;
        const place = { name, path: join(folder.path, entry.name) };
        if (entry.isDirectory()) {
          if (!passedOver.has(entry.name)) deeper.push(place);
        } else if (entry.isSymbolicLink()) walked.links.push(place);
        else if (entry.isFile() && isStandard.test(entry.name)) walked.standards.push(place);
      }
    }
    level = deeper;
  }
  return walked;
}

/** The entries of a folder: empty if it is gone, undefined if it cannot be read. */
async function entriesOf({ path }: StandardEntry): Promise<readonly Dirent[] | undefined> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    return isGone(error) ? [] : undefined;
  }
}

async function identityAt(path: string): Promise<FileIdentity | undefined> {
  try {
    const { size, mtimeMs, ctimeMs, ino } = await lstat(path);
    return { key: `${size} ${mtimeMs} ${ctimeMs} ${ino}`, changed: Math.max(mtimeMs, ctimeMs) };
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

async function leadsOutside(root: string, link: string): Promise<boolean> {
  const target = await realPath(link);
  if (target === undefined) return false;
  if (isPathInside(root, target)) return false;
  return isStandard.test(target) || (await isFolder(target));
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
