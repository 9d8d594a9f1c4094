import { join } from "node:path";
import { listFolder } from "../folder.ts";
import { shownIn } from "../shown.ts";
import { onceInside } from "../stand.ts";
import type { FilePlace } from "./link.ts";
import { readMetadata } from "./metadata.ts";

/** Where a phased workflow stands. */
export type WorkflowPlace = FilePlace & {
  /** What it is listed and recorded as: its config's name, where that can be a type and no other workflow has it; else its folder's. */
  readonly type: string;
  /** Other names that it can be asked for by. */
  readonly aliases: readonly string[];
  readonly kind: "folder" | "file";
};

/** Every phased workflow of a definitions folder, sound or not; and the folders there that are none. */
export const workflowPlaces = onceInside(findPlaces);

function findPlaces(definitions: string): {
  readonly places: readonly WorkflowPlace[];
  readonly strays: readonly string[];
} {
  const folder = join(definitions, "workflows");
  const { folders, files } = listFolder(folder);
  const place = (name: string): FilePlace => {
    const path = join(folder, name);
    return { path, file: shownIn(definitions, path), source: `workflows/${name}` };
  };
  const isGates = (name: string): boolean => isGatesFolder(join(folder, name), files, name);
  const isWorkflow = (name: string): boolean => {
    const inside = listFolder(join(folder, name));
    return (
      inside.unreadable !== undefined || inside.files.includes("metadata.json") || inside.folders.includes("phases")
    );
  };
  const inFolders = folders
    .filter((name) => isWorkflow(name) && !isGates(name))
    .map((name): Found => {
      const { names } = readMetadata(join(folder, name, "metadata.json")).metadata;
      return { ...place(name), name, ownNames: names.filter(isType), kind: "folder" };
    });
  const inFiles = files
    .filter((name) => name.toLowerCase().endsWith(".md") && !/^readme\b/i.test(name))
    .map((name): Found => ({ ...place(name), name: name.slice(0, -".md".length), ownNames: [], kind: "file" }));
  return {
    places: typed([...inFolders, ...inFiles]).sort((a, b) => (a.type < b.type ? -1 : 1)),
    strays: folders.filter((name) => !isWorkflow(name)).map((name) => join(folder, name)),
  };
}

/** The workflows that answer to a name: by their own type, else by another name. */
export function placesNamed(places: readonly WorkflowPlace[], type: string): readonly WorkflowPlace[] {
  const own = places.filter((place) => place.type === type);
  return own.length > 0 ? own : places.filter(({ aliases }) => aliases.includes(type));
}

/** A workflow under the name of its folder or file, and what it calls itself. */
type Found = FilePlace & {
  readonly name: string;
  readonly ownNames: readonly string[];
  readonly kind: "folder" | "file";
};

/** The config's name wins, unless it is another's too: then nobody could tell which is meant. */
function typed(found: readonly Found[]): WorkflowPlace[] {
  const claims = new Map<string, number>();
  for (const { name, ownNames } of found)
    for (const one of new Set([name, ...ownNames])) claims.set(one, (claims.get(one) ?? 0) + 1);
  return found.map(({ name, ownNames, ...place }) => {
    const type = ownNames.find((own) => claims.get(own) === 1) ?? name;
    return { ...place, type, aliases: [...new Set([name, ...ownNames])].filter((alias) => alias !== type) };
  });
}

function isType(text: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(text) && text.length <= 100;
}

/** Where the gate file of a phase stands whose workflow is one Markdown file: in a folder of the file's name. */
export function gatesBeside(file: string, number: number): string {
  return join(file.slice(0, -".md".length), "phases", String(number));
}

/** Tells whether a folder among the workflows holds nothing but the gate files of the Markdown file of its name. */
function isGatesFolder(folder: string, files: readonly string[], name: string): boolean {
  const isFile = files.some((file) => file.toLowerCase() === `${name.toLowerCase()}.md`);
  if (!isFile) return false;
  const phases = join(folder, "phases");
  const texts = listFolder(phases).folders.flatMap((one) =>
    listFolder(join(phases, one)).files.filter((file) => file.toLowerCase().endsWith(".md")),
  );
  return listFolder(folder).files.length === 0 && texts.length === 0;
}
