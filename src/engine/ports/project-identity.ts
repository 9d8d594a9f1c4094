/** The project that the definitions name, or why they do not; undefined for a project from before identities. */
export type ProjectIdentity = { readonly project: string } | { readonly problem: string } | undefined;
