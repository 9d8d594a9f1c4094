import type { Gate } from "../evidence/gate.ts";
import type { Desk } from "../workflow/desk.ts";
import type { Violation } from "../workflow/events.ts";
import type { Said } from "../workflow/notice.ts";
import type { Outcome } from "../workflow/outcome.ts";
import type { Asked } from "./caller.ts";
import type { DeskId, Presented } from "./ports.ts";

/** What a command came to, for whoever puts it into words. */
export type Reply = {
  readonly id: DeskId;
  readonly outcome: Outcome;
  /** The desk as it stands after it. */
  readonly desk: Desk;
  /** The step that the caller may see with this outcome, where there is one. */
  readonly shown: Shown | null;
  readonly warnings: readonly Said[];
  readonly violations?: readonly Violation[];
  /** What an independent step did. */
  readonly done?: string;
  /** The question a client must put to a person before this can go on. */
  readonly question?: Asked;
};

/** A step as it may be shown now: the only form in which a definition leaves. */
export type Shown = Presented & {
  readonly workflow: string;
  readonly step: string;
  /** Whether it goes on without a person's word, or does so where it is proved. */
  readonly auto: boolean | "if_proved";
  /** What must hold before it counts as done. */
  readonly gate?: Gate;
};
