/** Marks a file as our own readable record of a step; it never replaces another file. */
export type ReadableMark = { readonly readable?: true };
