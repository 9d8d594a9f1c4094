/** A line of a definition. */
export type Source = { readonly file: string; readonly line: number };
