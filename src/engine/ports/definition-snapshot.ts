/** A definitions folder at one moment: an immutable value that is read from memory. */
export type DefinitionSnapshot = {
  readonly folder: string;
  /** Equal only for equal content, among the snapshots of one keeper. */
  readonly version: number;
  readonly entries: ReadonlyMap<string, FileEntry>;
  /** The entry at a path, with links followed; undefined if nothing is there. */
  find(path: string): FileEntry | undefined;
  /** The path behind all links; undefined if nothing is there. */
  realPath(path: string): string | undefined;
  /** Makes a value from this snapshot once, and keeps it as long as the snapshot; a key always belongs to one function. */
  derived<T>(key: string, make: () => T): T;
};

/** The entry at one path. */
export type FileEntry =
  | FileContent
  | { readonly kind: "folder"; readonly names: readonly string[]; readonly problem?: string }
  /** A link inside the folder; without `to` it is broken. */
  | { readonly kind: "link"; readonly to: string | undefined }
  /** A link out of the folder, which is not followed. */
  | { readonly kind: "outside"; readonly to: string; readonly isFolder: boolean; readonly problem: string }
  | { readonly kind: "other"; readonly problem: string };

/** A file with its text, unless it is too large, unreadable, or not read with the snapshot. */
export type FileContent = {
  readonly kind: "file";
  readonly size: number;
  /** Changes with every change of the file that its stats show. */
  readonly stamp: string;
  /** The time of its last change in milliseconds. */
  readonly changed: number;
  /** False just after a change, when another one could leave the same stamp. */
  readonly isSettled: boolean;
  /** The text without a byte order mark. */
  readonly text?: string;
  readonly problem?: string;
  /** Further files of the folder that it names. */
  readonly needs?: readonly string[];
};
