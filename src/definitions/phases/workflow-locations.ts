import { join } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { displayPath } from "../snapshot/display-path.ts";
import { listFolder } from "../snapshot/list-folder.ts";
import type { FileLocation } from "./file-location.ts";
import { readMetadata } from "./metadata.ts";

/** The location of a phased workflow. */
export type WorkflowLocation = FileLocation & {
  /** The name in lists and records: the config's, if it is valid and unique, otherwise the folder's. */
  readonly type: string;
  /** Other names it can be started by. */
  readonly aliases: readonly string[];
  readonly kind: "folder" | "file";
};

/** Every phased workflow of a definitions folder, valid or not, and the folders that are none. */
export function workflowLocations(definitions: DefinitionSnapshot): WorkflowLocations {
  return definitions.derived("workflow locations", () => findWorkflows(definitions));
}

type WorkflowLocations = { readonly places: readonly WorkflowLocation[]; readonly strays: readonly string[] };

function findWorkflows(definitions: DefinitionSnapshot): WorkflowLocations {
  const folder = join(definitions.folder, "workflows");
  const { folders, files } = listFolder(definitions, folder);
  const place = (name: string): FileLocation => {
    const path = join(folder, name);
    return { path, file: displayPath(definitions.folder, path), source: `workflows/${name}` };
  };
  const isGates = (name: string): boolean => isGatesFolder(definitions, join(folder, name), files, name);
  const isWorkflow = (name: string): boolean => {
    const inside = listFolder(definitions, join(folder, name));
    return (
      inside.unreadable !== undefined || inside.files.includes("metadata.json") || inside.folders.includes("phases")
    );
  };
  const inFolders = folders
    .filter((name) => isWorkflow(name) && !isGates(name))
    .map((name): FoundWorkflow => {
      const { names } = readMetadata(definitions, join(folder, name, "metadata.json")).metadata;
      return { ...place(name), name, ownNames: names.filter(isType), kind: "folder" };
    });
  const inFiles = files
    .filter((name) => name.toLowerCase().endsWith(".md") && !/^readme\b/i.test(name))
    .map((name): FoundWorkflow => ({ ...place(name), name: name.slice(0, -".md".length), ownNames: [], kind: "file" }));
  return {
    places: typed([...inFolders, ...inFiles]).sort((a, b) => (a.type < b.type ? -1 : 1)),
    strays: folders.filter((name) => !isWorkflow(name)).map((name) => join(folder, name)),
  };
}

/** The workflows with a name: by type, otherwise by alias. */
export function workflowsNamed(places: readonly WorkflowLocation[], type: string): readonly WorkflowLocation[] {
  const own = places.filter((place) => place.type === type);
  return own.length > 0 ? own : places.filter(({ aliases }) => aliases.includes(type));
}

/** A workflow by its folder or file, and the names it gives itself. */
type FoundWorkflow = FileLocation & {
  readonly name: string;
  readonly ownNames: readonly string[];
  readonly kind: "folder" | "file";
};

/** Assigns types: the config's name wins, unless another workflow has it too. */
function typed(found: readonly FoundWorkflow[]): WorkflowLocation[] {
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

/** The folder of a phase's gate file beside a one-file workflow. */
export function gateFolderBeside(file: string, number: number): string {
  return join(file.slice(0, -".md".length), "phases", String(number));
}

/** True for a folder that only holds the gate files of the Markdown file of its name. */
function isGatesFolder(
  definitions: DefinitionSnapshot,
  folder: string,
  files: readonly string[],
  name: string,
): boolean {
  const isFile = files.some((file) => file.toLowerCase() === `${name.toLowerCase()}.md`);
  if (!isFile) return false;
  const phases = join(folder, "phases");
  const texts = listFolder(definitions, phases).folders.flatMap((one) =>
    listFolder(definitions, join(phases, one)).files.filter((file) => file.toLowerCase().endsWith(".md")),
  );
  return listFolder(definitions, folder).files.length === 0 && texts.length === 0;
}
