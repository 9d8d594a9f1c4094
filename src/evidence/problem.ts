/** Why a part of a definition cannot be used: what kind of trouble, the file to mend, and what to do. Its words are for readers; programs go by the code. */
export type Problem = {
  /** A code of `waymark check`; absent in definitions that were pinned before there were codes. */
  readonly code?: string;
  readonly file: string;
  readonly line?: number;
  readonly message: string;
  readonly fix?: string;
};

/** A problem in words, with its line where that is known. */
export function problemText({ line, message }: Problem): string {
  return line === undefined ? message : `line ${line}: ${message}`;
}
