import type { Problem } from "../gates/problem.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import type { Engine } from "./engine.ts";
import type { ServedBot } from "./ports/definitions.ts";
import type { LoadedStream } from "./ports/event-log.ts";
import type { StandardsSearch } from "./ports/search.ts";
import type { Sessions } from "./sessions.ts";

/** The bots as defined now, with problems. */
export type ServedBots = {
  readonly bots: readonly ServedBot[];
  /** The bots whose two JSON files are kept apart, because another bot has its own in the same project area. */
  readonly guests: readonly string[];
  /** Problems for authors: oddities that were tolerated. */
  readonly problems: readonly Problem[];
};

/** The runs in which a caller has open steps, the last opened at the end, and the histories that were read to find them. */
export type CallerRuns = {
  readonly open: readonly { readonly bot: string; readonly run: string | undefined }[];
  readonly read: readonly { readonly bot: string; readonly run: string | undefined; readonly loaded: LoadedStream }[];
};

/** Everything that transports serve: the bots with their engines, the sessions, and the standards. */
export type Workplace = {
  beginCall(): void; // of a call
  bots(): Promise<ServedBots>;
  /** The engine of a bot's run; its default run without a name. */
  engine(bot: string, run?: string): Promise<Engine>;
  /** The default run of a bot. */
  runHere(bot: string): Promise<string | undefined>;
  /** The named runs of a bot; with `most`, the most recent ones, as far as the store knows them without listing all. */
  runs(bot: string, most?: number): Promise<readonly string[]>;
  /** Tells if a bot has a run of this name. */
  hasRun(bot: string, run: string): Promise<boolean>;
  /** The runs in which a caller has open steps, from the record. */
  openStepsOf(caller: string): Promise<CallerRuns>;
  readonly sessions: Sessions;
  /** The documents that search finds. */
  readonly standards: StandardsSearch;
};

/** The engine of a stream; undefined if its bot is not served or there is no such session. */
export async function engineOf(
  { sessions, bots, engine }: Pick<Workplace, "sessions" | "bots" | "engine">,
  { kind, name, run }: StreamId,
): Promise<Engine | undefined> {
  if (kind === "session") return sessions.find(name);
  return (await bots()).bots.some((bot) => bot.name === name) ? engine(name, run) : undefined;
}
