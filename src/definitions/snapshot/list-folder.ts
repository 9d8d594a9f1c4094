import { join } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";

/** The sorted names in a folder without dot-folders; a missing folder is empty. */
export type Listing = {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly unreadable?: string;
};

/** Lists a folder of a snapshot, once for all who ask. */
export function listFolder(definitions: DefinitionSnapshot, path: string): Listing {
  return definitions.derived(`listing of ${path}`, () => list(definitions, path));
}

function list(definitions: DefinitionSnapshot, path: string): Listing {
  const entry = definitions.find(path);
  if (entry?.kind === "outside" || entry?.kind === "other") return { ...empty, unreadable: entry.problem };
  if (entry?.kind !== "folder") return empty;
  const names = entry.names.filter((name) => !name.startsWith("."));
  const folders = names.filter((name) => isFolder(definitions, join(path, name)));
  const files = names.filter((name) => !folders.includes(name));
  return { folders, files, ...(entry.problem === undefined ? {} : { unreadable: entry.problem }) };
}

/** True for a folder, also for a link out to one: it is listed but unreadable, so everything that needs it is closed. */
export function isFolder(definitions: DefinitionSnapshot, path: string): boolean {
  const entry = definitions.find(path);
  return entry?.kind === "folder" || (entry?.kind === "outside" && entry.isFolder);
}

const empty: Listing = { folders: [], files: [] };
