import type { InputDeclaration } from "../../gates/input.ts";
import type { Problem } from "../../gates/problem.ts";
import type { JsonObject } from "../../kit/json.ts";
import type { Definitions } from "./definitions.ts";

/** The result of reading a phased workflow. A problem names the file to fix and nothing of a phase's content. */
export type PhasedWorkflowReading<W> =
  | { readonly workflow: W; readonly inputs?: readonly InputDeclaration[] }
  | { readonly unknown: true }
  /** The session's options lack what the workflow needs, or cannot be used. */
  | { readonly invalidOptions: string; readonly required_action: string }
  /** The problem's `fix` says what to do if that is not `waymark check`. */
  | { readonly problem: Problem };

/** A workflow that can be started, with the parts anyone may know. */
export type WorkflowListing = {
  readonly type: string;
  readonly title: string;
  readonly description: string;
  /** Other names for it: its folder's, if its config has another. */
  readonly aliases?: readonly string[];
};

/** The phased workflows of a definitions folder, and the definitions of their sessions. */
export type PhasedDefinitions<W> = {
  /** Lists the workflows without reading them. */
  list(): Promise<readonly WorkflowListing[]>;
  /** Reads a workflow by any of its names; the result has the name that was asked for. */
  read(type: string, options: JsonObject): Promise<PhasedWorkflowReading<W>>;
  /** Pins a copy for a session; undefined if that failed. */
  pin(workflow: W): Promise<Pinned | undefined>;
  /** A pinned workflow by the name of its copy; undefined if it is gone. */
  pinned(definition: string): Promise<W | undefined>;
  /** The definitions of a session: its pinned copy, or the workflow it is about to begin with. */
  forSession(beginning?: W): Definitions;
};

/** A pinned definition: its name, the number of its first step, and its number of steps. */
export type Pinned = { readonly definition: string; readonly first: number; readonly total: number };
