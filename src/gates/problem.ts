/** The reason a part of a definition cannot be used: a code for programs, the file to fix, and what to do. */
export type Problem = {
  /** A code of `waymark check`; absent in definitions pinned before codes existed. */
  readonly code?: string;
  readonly file: string;
  readonly line?: number;
  readonly message: string;
  readonly fix?: string;
};

/** The message of a problem, with its line if known. */
export function problemText({ line, message }: Problem): string {
  return line === undefined ? message : `line ${line}: ${message}`;
}
