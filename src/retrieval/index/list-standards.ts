import { join, relative, sep } from "node:path";
import type { DefinitionSnapshot, FileEntry } from "../../engine/ports/definition-snapshot.ts";
import { isPathInside } from "../../kit/is-path-inside.ts";

/** The current files of a standards folder. */
export type FolderState = {
  /** Files by relative path, with their identities. */
  readonly files: ReadonlyMap<string, FileIdentity>;
  readonly troubles: readonly StandardsIssue[];
};

/** Something that is not searched, and why; an empty file name means the folder itself. */
export type StandardsIssue = {
  readonly file: string;
  readonly kind: "leaves" | "unreadable";
  readonly message: string;
};

/** A file's identity from its stats, without reading it. */
export type FileIdentity = { readonly stamp: string; readonly changed: number };

/** Lists every Markdown file among the standards of a definitions folder; links are not followed. */
export function listStandards(definitions: DefinitionSnapshot): FolderState {
  const folder = join(definitions.folder, "standards");
  const root = definitions.realPath(folder);
  if (root === undefined) return { files: new Map(), troubles: [] };
  if (definitions.find(folder)?.kind === "outside")
    return { files: new Map(), troubles: [{ file: "", kind: "leaves", message: folderLeaves }] };
  const files: [string, FileIdentity][] = [];
  const troubles: StandardsIssue[] = [];
  for (const [path, entry] of definitions.entries) {
    if (!isPathInside(root, path)) continue;
    const file = relative(root, path).split(sep).join("/");
    if (entry.kind === "file" && isStandard.test(path)) files.push([file, entry]);
    if (entry.kind === "folder" && entry.problem !== undefined)
      troubles.push({ file, kind: "unreadable", message: "cannot be read" });
    if (leaves(definitions, root, entry)) troubles.push({ file, kind: "leaves", message: leavesFolder });
  }
  return {
    files: new Map(files.sort(([a], [b]) => (a < b ? -1 : 1))),
    troubles: troubles.sort((a, b) => (a.file < b.file ? -1 : 1)),
  };
}

/** Formats a trouble as a sentence. */
export function issueText({ file, message }: StandardsIssue): string {
  return `${file === "" ? "The standards folder" : file} ${message}.`;
}

const folderLeaves = "is a link to a place outside the definitions folder and is not followed";
const leavesFolder = "is a link to a place outside the standards folder and is not followed";
const isStandard = /\.(?:md|markdown)$/i;

/** True for a link to documents outside the standards. */
function leaves(definitions: DefinitionSnapshot, root: string, entry: FileEntry): boolean {
  if (entry.kind === "outside") return entry.isFolder || isStandard.test(entry.to);
  if (entry.kind !== "link" || entry.to === undefined || isPathInside(root, entry.to)) return false;
  return isStandard.test(entry.to) || definitions.find(entry.to)?.kind === "folder";
}
