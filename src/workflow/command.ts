import type { HandedIn, SessionFacts, StepRef, Violation, Word } from "./events.ts";
import type { Observations } from "./gate.ts";
import type { JsonObject } from "./json.ts";

/** What a caller asks for. */
export type Command =
  | OpenCommand
  | CompleteCommand
  | DeclineCommand
  | BackCommand
  | BeginCommand
  | ReadCommand
  | PassCommand
  | ArchiveCommand;

/** Go to a step: the named one, or where the work stands. */
export type OpenCommand = {
  readonly kind: "open";
  readonly workflow?: string;
  readonly step?: string;
  readonly resume?: "retry" | "continue" | "restart";
  readonly inputs?: JsonObject;
};

/** Count a step as done. */
export type CompleteCommand = {
  readonly kind: "complete";
  readonly workflow?: string;
  readonly step?: string;
  readonly handed: HandedIn;
  /** A person's word, where one was given. */
  readonly word?: Word;
  /** Tells the same call sent again from another one. */
  readonly fingerprint: string;
  /** The attempt that a person agreed to: any other is a conflict. */
  readonly agreed?: StepRef;
  /** What the rules that a machine can check found in the content. */
  readonly violations?: readonly Violation[];
  /** What the server found out about the evidence by itself. */
  readonly observed?: Observations;
};

/** Begin a session: its first step is open from then on. */
export type BeginCommand = { readonly kind: "begin"; readonly facts: SessionFacts };

/** Read the open step of a session, or one that is done. */
export type ReadCommand = { readonly kind: "read"; readonly step?: string };

/** Pass the gate of a session's open step: the next one is open from then on. */
export type PassCommand = Omit<CompleteCommand, "kind" | "workflow" | "step"> & {
  readonly kind: "pass";
  readonly step: string;
};

/** A person puts an unfinished session away. */
export type ArchiveCommand = { readonly kind: "archive"; readonly reason?: string };

/** A person said no. */
export type DeclineCommand = { readonly kind: "decline"; readonly ref: StepRef; readonly reason?: string };

/** A person wants a completed step done again, by whoever opens it next. */
export type BackCommand = { readonly kind: "back"; readonly workflow?: string; readonly step: string };

/** Who calls, and what this connection opened. */
export type Caller = {
  readonly id: string;
  readonly opened: StepRef | null;
  readonly openedAside: string | null;
};
