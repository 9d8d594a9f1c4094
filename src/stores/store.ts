import type { Heads } from "../audit/ports.ts";
import type { Content, DeskId, EventLog, Views } from "../engine/ports.ts";

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
  /** The desks where a caller stands at something, and perhaps others, where the store knows a shorter way than to look at every desk. */
  standing?(caller: string): Promise<readonly DeskId[]>;
  /** Whether the settings have git keep the histories, and it has that of a desk as it stands or on another branch, where the store is one that git can keep. */
  isInGit?(id: DeskId): Promise<boolean>;
  /** What moves a history from one store to another, where the store can. */
  readonly moving?: Moving;
  /** Lets go of everything that is held open, and leaves nothing half-made behind. */
  close(): void;
};

/** Histories as they stand, text by text. */
export type Moving = {
  /** The texts of the records that were set aside at a desk. */
  aside(id: DeskId): Promise<readonly string[]>;
  /** Adds texts of records, byte by byte, which go on from what stands there, and such as were set aside. Rejects where not all of them count afterwards. */
  restore(id: DeskId, texts: readonly string[], aside: readonly string[]): Promise<void>;
};
