import { join } from "node:path";
import { LeadsOut } from "./home.ts";
import { liveRead, lookAt } from "./live-file.ts";
import { entriesOf, hasEntries } from "./stand.ts";

/** The names in a folder as they stand now, sorted; dot-folders are left out, and a missing folder is empty. */
export type Listing = {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly unreadable?: string;
};

/** Lists a folder; cheap where nothing was added or removed. Never throws. */
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

/** Tells whether a folder stands at this path. */
export function isFolder(path: string): boolean {
  try {
    return lookAt(path)?.isDirectory() ?? false;
  } catch (error) {
    return error instanceof LeadsOut && error.isFolder; // it is listed, and cannot be read: whatever needs it is closed
  }
}

const empty: Listing = { folders: [], files: [] };

const readEntries = liveRead((path, stats) => {
  if (!stats.isDirectory()) return { folders: [], files: [], links: [] };
  const entries = entriesOf(path)
    ?.filter(({ name }) => !name.startsWith("."))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  if (entries === undefined) return undefined;
  const names = (some: typeof entries) => some.map(({ name }) => name);
  return {
    folders: names(entries.filter((entry) => entry.isDirectory())),
    files: names(entries.filter((entry) => !entry.isDirectory() && !entry.isSymbolicLink())),
    // Where a link leads can change without a trace in this folder, so that is looked up at each use.
    links: names(entries.filter((entry) => entry.isSymbolicLink())),
  };
}, hasEntries);
