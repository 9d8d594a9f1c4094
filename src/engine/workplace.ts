import type { Problem } from "../workflow/workflow.ts";
import type { Engine } from "./engine.ts";
import type { PhasedEngine } from "./phased/phased-engine.ts";
import type { ServedBot } from "./ports.ts";
import type { StandardsSearch } from "./search.ts";

/** What the doors serve: the bots as they are defined now, each with its engine. */
export type Workplace = {
  bots(): {
    readonly bots: readonly ServedBot[];
    /** What every caller should know: why a bot is not served. */
    readonly warnings: readonly string[];
    /** What an author should know: oddities that were tolerated. */
    readonly problems: readonly Problem[];
  };
  engine(bot: string): Engine;
  /** The phased workflows and their sessions. */
  readonly phased: PhasedEngine;
  /** The documents that search finds. */
  readonly standards: StandardsSearch;
};
