/** What follows a completed step; `auto`: the completed one goes on by itself. */
export type Next = { readonly step: string; readonly workflow: string; readonly auto: boolean };
