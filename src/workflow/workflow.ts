import type { Gate } from "./gate.ts";

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

/** One gated unit of work in a sequence. */
export type Step = {
  readonly name: string;
  /** What messages call it, where that is not its name. */
  readonly title?: string;
  /** The author lets it complete without a person's word. */
  readonly auto: boolean;
  /** The author's reason for passing over this step; it then counts as satisfied. */
  readonly skip?: string;
  readonly gate?: Gate;
  /** Its own definition cannot be read now: what is known of it comes from its neighbours or the history. */
  readonly broken?: Problem;
  /** Broken, and nothing says where it belongs: it stands first, until a run has passed that point. */
  readonly adrift?: boolean;
};

/** Ordered steps. What comes after the last one may be unknowable (`closed`); then nothing follows it. */
export type Workflow = {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly closed?: Problem;
};

/** Everything one desk can walk: its workflows in order, and the work outside the sequence. */
export type Plan = {
  readonly name: string;
  readonly workflows: readonly Workflow[];
  /** Names of the steps that belong to no sequence. */
  readonly independent: readonly string[];
  /** The author wants the workflows walked one after the other. */
  readonly ordered: boolean;
};
