import type { HandedIn, StepRef, Violation, Word } from "./events.ts";
import type { JsonObject } from "./json.ts";

/** What a caller asks for. */
export type Command = OpenCommand | CompleteCommand | DeclineCommand | BackCommand;

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
};

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
