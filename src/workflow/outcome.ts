import type { Event, HandedIn, StepRef, Violation } from "./events.ts";
import type { Next } from "./next-step.ts";
import type { Refusal } from "./refusal.ts";

/** What a decision leads to: the facts to record first, and what may be answered once they are. */
export type Decision = {
  readonly events: readonly Event[];
  readonly outcome: Outcome;
  readonly warnings: readonly string[];
};

export type Outcome =
  | { readonly kind: "opened"; readonly ref: StepRef; readonly last: boolean; readonly resumed?: HandedIn }
  | { readonly kind: "interrupted"; readonly ref: StepRef; readonly last: boolean; readonly handed: HandedIn }
  | { readonly kind: "review"; readonly ref: StepRef; readonly handed: HandedIn; readonly skipped?: string }
  | {
      readonly kind: "completed";
      readonly ref: StepRef;
      readonly next: Next | null;
      readonly handed: HandedIn;
      readonly violations?: readonly Violation[];
    }
  | {
      readonly kind: "finished";
      readonly workflow: string;
      readonly ref: StepRef | null;
      readonly nextWorkflow: string | null;
      readonly handed: HandedIn;
      readonly violations?: readonly Violation[];
    }
  | { readonly kind: "gone_back"; readonly ref: StepRef }
  | { readonly kind: "awaiting"; readonly ref: StepRef; readonly handed: HandedIn }
  | { readonly kind: "aside_opened"; readonly workflow: string; readonly step: string }
  | { readonly kind: "aside_completed"; readonly workflow: string; readonly step: string }
  | {
      readonly kind: "refused";
      readonly workflow: string | null;
      /** The step whose content the caller may have instead. */
      readonly current: StepRef | null;
      readonly refusal: Refusal;
    };
