import type { Dirent } from "node:fs";
import { lstat, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { liesIn } from "../../paths/lies-in.ts";
import { realPath } from "../../paths/real-path.ts";
import { readAhead } from "./read-ahead.ts";

/** What stands in a folder of standards now. */
export type Sight = {
  /** Files by path relative to the folder, with what changes when they do. */
  readonly files: ReadonlyMap<string, Identity>;
  /** Every folder that was looked into. */
  readonly folders: readonly string[];
  readonly troubles: readonly Trouble[];
};

/** Something in the folder that is passed over, and why; the folder itself where no file is named. */
export type Trouble = { readonly file: string; readonly kind: "leaves" | "unreadable"; readonly message: string };

/** What the file system says of a file's content without reading it. */
export type Identity = { readonly key: string; readonly changed: number };

/** Looks at every Markdown file below a folder. Links are not followed: what they lead to inside is there already, and outside is not ours. */
export async function look(folder: string): Promise<Sight> {
  const root = await realPath(folder);
  if (root === undefined) return nothing;
  const around = await realPath(dirname(folder));
  if (around === undefined || !liesIn(around, root))
    return { ...nothing, troubles: [{ file: "", kind: "leaves", message: folderLeaves }] };
  const { folders, standards, links, troubles } = await walk(root);
  const files: [string, Identity][] = [];
  for await (const [{ name }, identity] of readAhead(standards, ({ path }) => identityAt(path)))
    if (identity !== undefined) files.push([name, identity]);
  for await (const [{ name }, isOutside] of readAhead(links, ({ path }) => leaves(root, path)))
    if (isOutside) troubles.push({ file: name, kind: "leaves", message: leavesFolder });
  return {
    files: new Map(files.sort(([a], [b]) => (a < b ? -1 : 1))),
    folders,
    troubles: troubles.sort((a, b) => (a.file < b.file ? -1 : 1)),
  };
}

/** A trouble as a sentence. */
export function troubleText({ file, message }: Trouble): string {
  return `${file === "" ? "The standards folder" : file} ${message}.`;
}

const nothing: Sight = { files: new Map(), folders: [], troubles: [] };
const folderLeaves = "is a link out of the definitions folder and is not followed";
const leavesFolder = "is a link out of the standards folder and is not followed";
const isStandard = /\.(?:md|markdown)$/i;
const passedOver = new Set([".git", "node_modules"]);

/** Where something stands: its name from the folder of standards, and its path. */
type Place = { readonly name: string; readonly path: string };
type Walked = { folders: string[]; standards: Place[]; links: Place[]; troubles: Trouble[] };

async function walk(root: string): Promise<Walked> {
  const walked: Walked = { folders: [], standards: [], links: [], troubles: [] };
  let level: Place[] = [{ name: "", path: root }];
  while (level.length > 0) {
    const deeper: Place[] = [];
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

/** What is in a folder, nothing where it is gone; undefined where it cannot be read. */
async function entriesOf({ path }: Place): Promise<readonly Dirent[] | undefined> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    return isGone(error) ? [] : undefined;
  }
}

async function identityAt(path: string): Promise<Identity | undefined> {
  try {
    const { size, mtimeMs, ctimeMs, ino } = await lstat(path);
    return { key: `${size} ${mtimeMs} ${ctimeMs} ${ino}`, changed: Math.max(mtimeMs, ctimeMs) };
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

async function leaves(root: string, link: string): Promise<boolean> {
  const target = await realPath(link);
  if (target === undefined) return false;
  if (liesIn(root, target)) return false;
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
