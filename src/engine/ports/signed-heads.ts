import type { StreamId } from "../../workflow/stream-id.ts";

/** The head of a history at one moment, signed by its owner. */
export type SignedHead = {
  readonly seq: number;
  readonly head: string;
  /** The hash of the first record, which names the history. */
  readonly first: string;
  readonly at: string;
  /** The SHA-256 of the public key. */
  readonly key: string;
  readonly signature: string;
};

/** Stores signed heads beside their histories. */
export type SignedHeads = {
  /** The stored heads and the number of unreadable ones. */
  read(id: StreamId): Promise<{ readonly heads: readonly SignedHead[]; readonly unreadable: number }>;
  /** Stores a head durably; rejects on failure. */
  keep(id: StreamId, head: SignedHead): Promise<void>;
};
