import { join } from "node:path";
import { listFolder } from "../folder.ts";
import { shownIn } from "../shown.ts";
import { readMetadata } from "./metadata.ts";
import type { FilePlace } from "./place.ts";

/** Where a phased workflow stands. */
export type WorkflowPlace = FilePlace & {
  readonly type: string;
  /** Other names that it can be asked for by. */
  readonly aliases: readonly string[];
  readonly kind: "folder" | "file";
};

/** Every phased workflow of a definitions folder, sound or not; and the folders there that are none. */
export function workflowPlaces(definitions: string): {
  readonly places: readonly WorkflowPlace[];
  readonly strays: readonly string[];
} {
  const folder = join(definitions, "workflows");
  const { folders, files } = listFolder(folder);
  const place = (name: string): FilePlace => {
    const path = join(folder, name);
    return { path, file: shownIn(definitions, path), source: `workflows/${name}` };
  };
  const isWorkflow = (name: string): boolean => {
    const inside = listFolder(join(folder, name));
    return (
      inside.unreadable !== undefined || inside.files.includes("metadata.json") || inside.folders.includes("phases")
    );
  };
  const inFolders = folders.filter(isWorkflow).map((name): WorkflowPlace => {
    const { names } = readMetadata(join(folder, name, "metadata.json")).metadata;
    const aliases = [...new Set(names)].filter((alias) => alias !== name && isType(alias));
    return { ...place(name), type: name, aliases, kind: "folder" };
  });
  const inFiles = files
    .filter((name) => /\.md$/i.test(name) && !/^readme\b/i.test(name))
    .map((name): WorkflowPlace => ({ ...place(name), type: name.replace(/\.md$/i, ""), aliases: [], kind: "file" }));
  return {
    places: [...inFolders, ...inFiles].sort((a, b) => (a.type < b.type ? -1 : 1)),
    strays: folders.filter((name) => !isWorkflow(name)).map((name) => join(folder, name)),
  };
}

/** The workflows that answer to a name: by their own type, else by another name. */
export function placesNamed(places: readonly WorkflowPlace[], type: string): readonly WorkflowPlace[] {
  const own = places.filter((place) => place.type === type);
  return own.length > 0 ? own : places.filter(({ aliases }) => aliases.includes(type));
}

function isType(text: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(text);
}
