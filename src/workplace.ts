import type { Engine } from "./engine/engine.ts";
import type { ServedBot } from "./engine/ports.ts";
import type { Sessions } from "./engine/sessions.ts";
import type { Problem } from "./evidence/problem.ts";
import type { StandardsSearch } from "./retrieval/ports.ts";

/** The bots as they are defined now, and what is to be said of them. */
export type ServedBots = {
  readonly bots: readonly ServedBot[];
  /** What every caller should know: why a bot is not served. */
  readonly warnings: readonly string[];
  /** What an author should know: oddities that were tolerated. */
  readonly problems: readonly Problem[];
};

/** What the doors serve: the bots, each with its engine, the sessions, and the standards. */
export type Workplace = {
  begin(): void; // of a call
  bots(): Promise<ServedBots>;
  /** One run of a bot at work; without a name, the project area's own. */
  engine(bot: string, run?: string): Promise<Engine>;
  /** The run of a bot that is meant where none is named. */
  runHere(bot: string): Promise<string | undefined>;
  /** The named runs of a bot that have left a trace. */
  runs(bot: string): Promise<readonly string[]>;
  /** Whether a bot has a run of this name that has left a trace. */
  hasRun(bot: string, run: string): Promise<boolean>;
  /** The runs in which a caller has something open, by what is on record, the one that it opened last at the end. */
  standsAt(caller: string): Promise<readonly { readonly bot: string; readonly run: string | undefined }[]>;
  readonly sessions: Sessions;
  /** The documents that search finds. */
  readonly standards: StandardsSearch;
};
