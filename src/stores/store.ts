import type { Heads } from "../audit/ports.ts";
import type { Content, EventLog, Views } from "../engine/ports.ts";

/** Everything of one project area: its histories, what shows them, the content, and the signed heads. */
export type Store = {
  readonly log: EventLog;
  readonly views: Views;
  readonly content: Content;
  /** The content of another area whose history is kept here, where the store has such. */
  contentIn?(area: string): Content;
  readonly heads: Heads;
  /** The bots with a history here, the latest first, where the store knows a shorter way than to look at every desk. */
  atWork?(): Promise<readonly string[]>;
  /** Lets go of everything that is held open, and leaves nothing half-made behind. */
  close(): void;
};
