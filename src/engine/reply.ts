import type { CompletedEntry, Violation } from "../workflow/events.ts";
import type { Gate } from "../workflow/gate.ts";
import type { Outcome } from "../workflow/outcome.ts";

/** What a command came to, for whoever renders it. */
export type Reply = {
  readonly outcome: Outcome;
  /** The content of the step that the outcome is about, where the caller may have it. */
  readonly content: string;
  /** Whether that step goes on without a person's word. */
  readonly auto: boolean;
  /** What must hold before that step counts as done. */
  readonly gate?: Gate;
  readonly history: { readonly count: number; readonly last: readonly CompletedEntry[] };
  readonly warnings: readonly string[];
  readonly violations?: readonly Violation[];
  /** What an independent step did. */
  readonly done?: string;
  /** A person was asked through the client, and nobody answered. */
  readonly unanswered?: true;
  /** The question a client must put to a person before this can go on. */
  readonly question?: string;
};

/** A person's answer to a question. `pending`: the client has yet to ask. */
export type Answer = { readonly kind: "accepted" | "declined" | "none" | "pending"; readonly text?: string };

/** Puts a question to a person; absent where the client cannot. */
export type Ask = (question: string) => Promise<Answer>;
