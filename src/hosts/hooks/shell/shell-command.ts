/** A word of a command; `plain` means that the shell substitutes nothing in it. */
export type ShellWord = { readonly text: string; readonly plain: boolean };

/** One program with its words, its output files, and its input if the line contains it. */
export type SimpleCommand = {
  readonly words: readonly ShellWord[];
  readonly into: readonly ShellWord[];
  readonly input?: string;
};

/** A part of a shell line; a scope restores the working folder at its end. */
export type ShellPart = SimpleCommand | { readonly scope: readonly ShellPart[] };
