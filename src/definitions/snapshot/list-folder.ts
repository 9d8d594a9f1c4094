import { join } from "node:path";
import { isFolderLoaded, loadedFolder } from "./file-entry.ts";
import { OutsideLinkError } from "./inside-definitions.ts";
import { liveRead, statsOf } from "./live-file.ts";

/** The sorted names in a folder without dot-folders; a missing folder is empty. */
export type Listing = {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly unreadable?: string;
};

/** Lists a folder, cheaply if nothing was added or removed. Never throws. */
export function listFolder(path: string): Listing {
  const read = readEntries(path);
  if ("missing" in read) return empty;
  if ("unreadable" in read) return { ...empty, unreadable: read.unreadable };
  const { links, ...listing } = read.value;
  if (links.length === 0) return listing;
  const linked = links.filter((name) => isFolder(join(path, name)));
  return {
    folders: [...listing.folders, ...linked].sort(),
    files: [...listing.files, ...links.filter((name) => !linked.includes(name))].sort(),
  };
}

/** True if this path is a folder. */
export function isFolder(path: string): boolean {
  try {
    return statsOf(path)?.isDirectory() ?? false;
  } catch (error) {
    return error instanceof OutsideLinkError && error.isFolder; // listed but unreadable, so everything that needs it is closed
  }
}

const empty: Listing = { folders: [], files: [] };

const readEntries = liveRead((path, stats) => {
  if (!stats.isDirectory()) return { folders: [], files: [], links: [] };
  const entries = loadedFolder(path)
    ?.filter(({ name }) => !name.startsWith("."))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  if (entries === undefined) return undefined;
  const names = (some: typeof entries) => some.map(({ name }) => name);
  return {
    folders: names(entries.filter((entry) => entry.isDirectory())),
    files: names(entries.filter((entry) => !entry.isDirectory() && !entry.isSymbolicLink())),
    // A link's target can change without a trace in this folder, so links are resolved at each use.
    links: names(entries.filter((entry) => entry.isSymbolicLink())),
  };
}, isFolderLoaded);
