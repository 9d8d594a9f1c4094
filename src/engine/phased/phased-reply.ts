import type { JsonObject } from "../../workflow/json.ts";
import type { Outcome } from "../../workflow/outcome.ts";
import type { SessionView } from "../../workflow/session-view.ts";

/** A phase that the caller may see. */
export type ShownPhase = {
  readonly number: number;
  readonly content: string;
  readonly sources: readonly string[];
  /** The tasks within it. */
  readonly tasks: readonly { readonly task: number; readonly name: string }[];
  /** What its gate asks for, field by field. */
  readonly requiredEvidence: JsonObject;
  /** What it asks of several fields at once. */
  readonly comparisons: readonly string[];
  readonly approval: boolean;
  readonly examples: JsonObject;
};

/** What a command about a session came to, for whoever renders it. */
export type PhasedReply = {
  readonly outcome: Outcome;
  readonly session: SessionView | null;
  readonly phase: ShownPhase | null;
  readonly warnings: readonly string[];
  /** An unfinished session for the same workflow, target and options was found. */
  readonly resumed?: true;
  readonly unanswered?: true;
  readonly question?: string;
};
