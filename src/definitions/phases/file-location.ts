/** A definition's location: its path, its name in messages, and its name as a source. */
export type FileLocation = { readonly path: string; readonly file: string; readonly source: string };
