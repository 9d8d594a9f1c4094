import type { StreamId } from "../../workflow/stream-id.ts";

/** The mark that a person erased a history. */
export type Tombstone = {
  readonly id: StreamId;
  readonly records: number;
  /** The hash of its last record. */
  readonly head: string;
  readonly at: string;
  /** The person who erased it. */
  readonly by: string;
  readonly reason: string;
};

/** Erases what a person wants forgotten. */
export type Forgetting = {
  /** Erases submitted texts by their hashes, where the store keeps them. */
  eraseTexts(hashes: readonly string[]): Promise<void>;
  /**
   * Leaves the tombstone and erases the records, views and caches of a stream; false if its last record is no longer the tombstone's.
   * `hashes` are those of all its records, so that another machine that remembers one of them knows where it went.
   */
  eraseStream(tombstone: Tombstone, hashes: readonly string[]): Promise<boolean>;
  /** Every tombstone, oldest first. */
  tombstones(): Promise<readonly Tombstone[]>;
};
