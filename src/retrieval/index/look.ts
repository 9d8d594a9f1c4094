import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { join, relative, sep } from "node:path";

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
export function look(folder: string): Sight {
  const files: [string, Identity][] = [];
  const folders: string[] = [];
  const troubles: Trouble[] = [];
  const root = realPath(folder);
  const visit = (place: string, within: string) => {
    folders.push(place);
    for (const entry of entriesOf(place, within, troubles)) {
      const name = within === "" ? entry.name : `${within}/${entry.name}`;
      const path = join(place, entry.name);
      if (entry.isDirectory()) {
        if (!passedOver.has(entry.name)) visit(path, name);
      } else if (entry.isSymbolicLink()) {
        if (leaves(root, path)) troubles.push({ file: name, kind: "leaves", message: leavesFolder });
      } else if (entry.isFile() && isStandard.test(entry.name)) {
        const identity = identityOf(lstatSync(path, { throwIfNoEntry: false }));
        if (identity !== undefined) files.push([name, identity]);
      }
    }
  };
  if (root !== undefined) visit(root, "");
  return { files: new Map(files.sort(([a], [b]) => (a < b ? -1 : 1))), folders, troubles };
}

/** A trouble as a sentence. */
export function troubleText({ file, message }: Trouble): string {
  return `${file === "" ? "The standards folder" : file} ${message}.`;
}

const leavesFolder = "is a link out of the standards folder and is not followed";
const isStandard = /\.(?:md|markdown)$/i;
const passedOver = new Set([".git", "node_modules"]);

function identityOf(stats: Stats | undefined): Identity | undefined {
  if (stats === undefined) return undefined;
  const { size, mtimeMs, ctimeMs, ino } = stats;
  return { key: `${size} ${mtimeMs} ${ctimeMs} ${ino}`, changed: Math.max(mtimeMs, ctimeMs) };
}

function entriesOf(place: string, within: string, troubles: Trouble[]): Dirent[] {
  try {
    return readdirSync(place, { withFileTypes: true });
  } catch (error) {
    const isGone = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!isGone) troubles.push({ file: within, kind: "unreadable", message: "cannot be read" });
    return [];
  }
}

function leaves(root: string | undefined, link: string): boolean {
  const target = realPath(link);
  if (root === undefined || target === undefined) return false;
  const isOfInterest = isStandard.test(target) || (statSync(target, { throwIfNoEntry: false })?.isDirectory() ?? false);
  const way = relative(root, target);
  return isOfInterest && (way === ".." || way.startsWith(`..${sep}`));
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
