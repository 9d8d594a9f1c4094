import type { ApprovalLevel } from "../gates/approval-rule.ts";
import type { Gate } from "../gates/gate.ts";
import type { Problem } from "../gates/problem.ts";
import type { Routing } from "../gates/route.ts";

/** One gated unit of work in a sequence. */
export type Step = {
  readonly name: string;
  /** The author's title, if it is not the name; secret until the step's turn. */
  readonly title?: string;
  /** Continues without approval, or does so once proved, unless its gate requires approval. */
  readonly auto: boolean | "if_proved";
  /** The author's reason for skipping this step; it then counts as satisfied. */
  readonly skip?: string;
  readonly gate?: Gate;
  /** Globs of files that may change while it is open; undefined allows any. */
  readonly edits?: readonly string[];
  /** Its conditions and routes. */
  readonly routing?: Routing;
  /** Its own definition cannot be read now; the rest comes from its neighbours or the history. */
  readonly broken?: Problem;
  /** Broken, with an unknown place in the order: it comes first, until a run has passed that point. */
  readonly unplaced?: boolean;
};

/** Ordered steps. If what follows the last one is unknown (`closed`), nothing follows it. */
export type Workflow = {
  readonly name: string;
  readonly steps: readonly Step[];
  /** How it may end, if its author declared that. */
  readonly outcomes?: readonly string[];
  readonly closed?: Problem;
};

/** The policy of a plan: the differences between bots and phased workflows. Loaders write it, one pipeline reads it. */
export type Policy = {
  /** Opens the next step in the same record, or leaves that to the next call. */
  readonly onComplete: "opens the next" | "leaves the next";
  /** The knowledge of steps that are not open: their names, or only how many. */
  readonly aheadVisible: "names" | "number";
  /** The treatment of an edited view in the project area. */
  readonly onViewEdit: "obeyed" | "undone";
  /** The definition as it is at each use, or as it was at the start. */
  readonly definition: "live" | "pinned";
  /** The treatment of a decision that cannot be recorded. */
  readonly onUnrecorded: "held" | "refused";
  /** `asks`: a caller that finds a step open must say how to continue. */
  readonly onResume: "asks" | "says";
  /** The code of a refusal of a step ahead. */
  readonly outOfTurnCode: string;
};

/** The plan of one stream: its workflows in order, and its independent steps. */
export type Plan = {
  readonly name: string;
  readonly policy: Policy;
  readonly workflows: readonly Workflow[];
  /** The names of the independent steps. */
  readonly independent: readonly string[];
  /** The workflows must be finished in order. */
  readonly ordered: boolean;
  /** The minimum level of every approval; any if absent. */
  readonly approvalLevel?: ApprovalLevel;
  /** The settings that affect decisions, in words for the record; absent if there are none. */
  readonly settings?: string;
};
