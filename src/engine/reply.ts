import type { Gate } from "../gates/gate.ts";
import type { Submission, Violation } from "../workflow/events.ts";
import type { ItemsOverview } from "../workflow/item-state.ts";
import type { Warning } from "../workflow/notice.ts";
import type { Outcome } from "../workflow/outcome.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import type { StreamSnapshot } from "../workflow/stream-snapshot.ts";
import type { ContentFile } from "./ports/content.ts";
import type { StepContent } from "./ports/definitions.ts";

/** The result of a command, before it is worded. */
export type Reply = {
  readonly id: StreamId;
  readonly outcome: Outcome;
  /** The stream after the command. */
  readonly stream: StreamSnapshot;
  /** The step that the caller may see with this outcome. */
  readonly shown: RevealedStep | null;
  readonly warnings: readonly Warning[];
  readonly violations?: readonly Violation[];
  /** The reply opens a step whose author wants the standards that fit it to be named. */
  readonly namesStandards?: true;
  /** The result of an independent step. */
  readonly done?: string;
  /** The question that a client must ask a person before this can continue. */
  readonly question?: ApprovalQuestion;
  /** The item that this session was for, and what is left of its step. */
  readonly settled?: SettledItem;
};

/** An item whose session has ended: its parent, and the items that are left there; none if its step is complete. */
export type SettledItem = { readonly parent: string; readonly item: string; readonly items?: ItemsOverview };

/** A step that may be shown now; the only form in which a definition leaves the engine. */
export type RevealedStep = StepContent & {
  readonly workflow: string;
  readonly step: string;
  /** True if it continues without approval; `if_proved` if it does so once proved. */
  readonly auto: boolean | "if_proved";
  /** The gate of the step, without what a person waived. */
  readonly gate?: Gate;
  /** It calls this workflow, once or for each item. */
  readonly calls?: string;
  /** Its items, once they are taken. */
  readonly items?: ItemsOverview;
  /** The problem with the list of its items. */
  readonly listProblem?: string;
  /** Its round and role, in a workflow with routes. */
  readonly round?: StepRound;
};

/** How often a step has been reached, who should do it, and the step whose completion led back to it. */
export type StepRound = {
  readonly number: number;
  readonly role?: string;
  readonly cameBackFrom?: { readonly step: string; readonly submitted: Submission };
};

/** The question for a person: a submission waiting only for approval, with everything they would approve. */
export type ApprovalQuestion = {
  readonly reply: Reply;
  /** Names the attempt and the submission; an answer counts for nothing else. */
  readonly key: string;
  readonly files: readonly ContentFile[];
  /** The person's words, as relayed by the assistant. */
  readonly confirmation?: string | undefined;
};
