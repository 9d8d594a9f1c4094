import type { Level } from "../evidence/approval.ts";
import type { Gate } from "../evidence/gate.ts";
import type { Problem } from "../evidence/problem.ts";

/** One gated unit of work in a sequence. */
export type Step = {
  readonly name: string;
  /** What its author calls it, where that is not its name; not to be told before its time. */
  readonly title?: string;
  /** It goes on without a person's word, or does so where it is proved, unless its gate asks for one. */
  readonly auto: boolean | "if_proved";
  /** The author's reason for passing over this step; it then counts as satisfied. */
  readonly skip?: string;
  readonly gate?: Gate;
  /** What may be changed while it is open, as globs; anything, where nobody says. */
  readonly edits?: readonly string[];
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

/** How the steps of a plan are walked: what the two ways to author differ in. The loaders write it down, the one pipeline reads it. */
export type Manner = {
  /** Completing a step opens the next one in the same record, or leaves that to the next call. */
  readonly completing: "opens the next" | "leaves the next";
  /** What may be known of steps that are not open. */
  readonly ahead: "names" | "number";
  /** What becomes of a view in the project area that a person edited. */
  readonly view: "obeyed" | "undone";
  /** Whether the definition is read at each use, or as it was at the start. */
  readonly definition: "live" | "pinned";
  /** What becomes of a decision that cannot be recorded. */
  readonly unrecorded: "held" | "refused";
  /** Whether a caller that finds a step open must say how to go on. */
  readonly resuming: "asks" | "says";
  /** The code of a no to a step whose turn has not come. */
  readonly outOfTurn: string;
};

/** Everything one desk can walk: its workflows in order, and the work outside the sequence. */
export type Plan = {
  readonly name: string;
  readonly manner: Manner;
  readonly workflows: readonly Workflow[];
  /** Names of the steps that belong to no sequence. */
  readonly independent: readonly string[];
  /** The author wants the workflows walked one after the other. */
  readonly ordered: boolean;
  /** The least level of every word of a person that is needed; any will do where none is named. */
  readonly wordLevel?: Level;
  /** The team's settings that decide, in words for the record; a plan that goes by none has none. */
  readonly settings?: string;
};
