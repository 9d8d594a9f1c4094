/** Marks a file that is our own record of a step, for people to read: it never takes the place of somebody else's file. */
export type Readable = { readonly readable?: true };
