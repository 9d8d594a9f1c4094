import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { largest } from "./read-folder.ts";

/** The text of a file, or why there is none. */
export type TextRead = { readonly value: string } | { readonly missing: true } | { readonly unreadable: string };

/** Reads a text file of a snapshot, limited in size. */
export function readTextFile(definitions: DefinitionSnapshot, path: string, mostBytes = largest): TextRead {
  const entry = definitions.find(path);
  if (entry === undefined) return { missing: true };
  if (entry.kind === "file" && entry.size > mostBytes)
    return { unreadable: `it is larger than ${mostBytes / 1024} KB` };
  if (entry.kind === "file" && entry.text !== undefined) return { value: entry.text };
  if (entry.kind === "folder" || entry.kind === "link") return { unreadable: "it is not a file" };
  return entry.problem === undefined ? { missing: true } : { unreadable: entry.problem };
}

/** True if this path is a file. */
export function isFile(definitions: DefinitionSnapshot, path: string): boolean {
  return definitions.find(path)?.kind === "file";
}
