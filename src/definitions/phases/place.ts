/** Where a definition stands: on disk, as messages show it, and as sources name it. */
export type FilePlace = { readonly path: string; readonly file: string; readonly source: string };
