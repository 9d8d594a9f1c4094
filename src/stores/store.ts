import type { Content } from "../engine/ports/content.ts";
import type { EventLog, LoadedStream } from "../engine/ports/event-log.ts";
import type { Forgetting } from "../engine/ports/forgetting.ts";
import type { NoticeQueue } from "../engine/ports/notice-queue.ts";
import type { SignedHeads } from "../engine/ports/signed-heads.ts";
import type { Views } from "../engine/ports/views.ts";
import type { StreamId } from "../workflow/stream-id.ts";

/** Everything of one project area: histories, views, content and signed heads. */
export type Store = {
  readonly log: EventLog;
  readonly views: Views;
  readonly content: Content;
  /** The content of another area whose history is here, if supported. */
  contentIn?(area: string): Content;
  readonly heads: SignedHeads;
  /** The notices that are still to be sent, if the store keeps any. */
  readonly notices?: NoticeQueue;
  /** Erases what a person wants forgotten, if supported. */
  readonly forgetting?: Forgetting;
  /** The bots with a history here, most recent first, if the store has a shortcut. */
  activeBots?(): Promise<readonly string[]>;
  /** The default run of a bot and its runs where a caller may have open work, loaded together, if the store has a shortcut. */
  openFor?(caller: string, bot: string): Promise<readonly LoadedRun[]>;
  /** Tells if git tracks the histories and has this one as it is or on another branch, if the store can be in git. */
  isInGit?(id: StreamId): Promise<boolean>;
  /** Moves histories between stores, if supported. */
  readonly transfer?: HistoryTransfer;
  /** Closes everything that is open and leaves nothing half-written. */
  close(): void;
};

/** A stream with its history. */
export type LoadedRun = { readonly id: StreamId; readonly loaded: LoadedStream };

/** Raw access to histories as text. */
export type HistoryTransfer = {
  /** The texts of a stream's forked records. */
  forked(id: StreamId): Promise<readonly string[]>;
  /** Adds record texts byte by byte after the existing ones, and forked ones; rejects if not all of them count afterwards. */
  restore(id: StreamId, texts: readonly string[], forked: readonly string[]): Promise<void>;
};
