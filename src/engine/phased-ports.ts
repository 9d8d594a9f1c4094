import type { JsonObject } from "../evidence/json.ts";
import type { Problem } from "../evidence/problem.ts";
import type { Definitions } from "./ports.ts";

/** What reading a phased workflow comes to. A problem names the file to mend, and nothing that stands in a phase. */
export type PhasedReading<W> =
  | { readonly workflow: W }
  | { readonly unknown: true }
  /** The session's options lack what the workflow needs, or name what cannot be used. */
  | { readonly invalidOptions: string; readonly required_action: string }
  /** Its fix says what to do about it, where that is not to run `waymark check`. */
  | { readonly problem: Problem };

/** A workflow that can be started: what anybody may know of it. */
export type WorkflowListed = {
  readonly type: string;
  readonly title: string;
  readonly description: string;
  /** Other names that mean it and nothing else: its folder's, where its config has another. */
  readonly aliases?: readonly string[];
};

/** The phased workflows of a definitions folder, and the definitions that their sessions are walked by. */
export type PhasedDefinitions<W> = {
  /** The workflows there are to start, found without reading them. */
  list(): Promise<readonly WorkflowListed[]>;
  /** Reads a workflow by any of its names; what was read bears the name that it was asked for by. */
  read(type: string, options: JsonObject): Promise<PhasedReading<W>>;
  /** Keeps a copy for a session to go by; undefined where that failed. */
  pin(workflow: W): Promise<Pinned | undefined>;
  /** What a session is walked by: the copy that it keeps, or the workflow that it is about to begin with. */
  forSession(beginning?: W): Definitions;
};

/** A copy of a definition: its name, the number of its first step, and how many there are. */
export type Pinned = { readonly definition: string; readonly first: number; readonly total: number };
