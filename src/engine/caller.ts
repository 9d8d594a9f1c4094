import type { Caller } from "../workflow/command.ts";
import type { CallerTree } from "./ports/runners.ts";
import type { ApprovalQuestion } from "./reply.ts";

/** The caller, with a way to ask the person behind it if the client has one. */
export type CallerContext = Caller & {
  readonly ask?: AskPerson | undefined;
  /** Sends the person to a page where they answer themselves, for approvals that a form cannot give. */
  readonly askOnPage?: ((asked: ApprovalQuestion) => Promise<PageOutcome>) | undefined;
  /** The caller's work tree, if it is elsewhere and a bridge reports it. */
  readonly tree?: CallerTree;
  /** Ends the wait of a call that its client has cancelled. */
  readonly stop?: AbortSignal;
  /** Reports what the call is waiting for, and for how many seconds so far. */
  readonly progress?: (message: string, seconds: number) => void;
};

/** A person's answer. `none`: no answer came. `pending`: the client has yet to ask. `late`: the call took too long to ask. */
export type PersonAnswer =
  | { readonly kind: "yes" | "no"; readonly comment?: string }
  | { readonly kind: "none" | "pending" | "late" };

/** The result of sending a person to a page. `asked`: they answered there or ran out of time. `nowhere`: there is no page. `pending`: the client has yet to ask. */
export type PageOutcome = "asked" | "nowhere" | "pending";

/** Asks a person. */
export type AskPerson = (asked: ApprovalQuestion) => Promise<PersonAnswer>;
