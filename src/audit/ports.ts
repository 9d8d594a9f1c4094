import type { DeskId } from "../engine/ports.ts";

/** The end of a history at one moment, as its owner vouches for it. */
export type SignedHead = {
  readonly seq: number;
  readonly head: string;
  /** The hash of the first record: names the history. */
  readonly first: string;
  readonly at: string;
  /** The SHA-256 of the public key. */
  readonly key: string;
  readonly signature: string;
};

/** Keeps signed heads beside the histories that they vouch for. */
export type Heads = {
  /** Those that are kept, and how many more there are that cannot be read. */
  read(id: DeskId): Promise<{ readonly heads: readonly SignedHead[]; readonly unreadable: number }>;
  /** Adds one for good; rejects where that fails. */
  keep(id: DeskId, head: SignedHead): Promise<void>;
};
