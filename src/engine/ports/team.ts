import type { CheckQueue, Sightings } from "./runners.ts";

/** The roles of tokens. */
export const roles = ["agent", "approver", "viewer", "author", "runner"] as const;

export type Role = (typeof roles)[number];

/** A token as stored: only its SHA-256, never the token itself. */
export type Token = {
  readonly name: string;
  readonly role: Role;
  /** The only project it is valid for, or null for all. */
  readonly project: string | null;
  /** The SHA-256 of the token in hexadecimal digits. */
  readonly hash: string;
  readonly createdAt: string;
  readonly revokedAt?: string;
  readonly expiresAt?: string;
  /** The hash of the token it replaces, whose position its owner keeps. */
  readonly follows?: string;
};

/** How many tokens may have one name while one is replaced. */
export const tokensOfOneName = 2;

/** The tokens of a server in its store. */
export type Tokens = {
  /** Stores a token; returns false if two active ones have this name. */
  add(token: Token): Promise<boolean>;
  /** Revokes the tokens of a name, or the one of a hash; returns false if none is active. */
  revoke(name: string, at: string, hash?: string): Promise<boolean>;
  list(): Promise<TokenList>;
};

/** All tokens including revoked ones; `unreadable` counts entries that may have been one. */
export type TokenList = { readonly tokens: readonly Token[]; readonly unreadable: number };

/** Messages from one replica to all, itself included: any length, at most once, unordered, lost if it does not listen. */
export type Signals = {
  send(text: string): Promise<void>;
  /** Listens for messages until stopped. */
  listen(heard: (text: string) => void): () => void;
};

/** The state that the replicas of a server share. */
export type Team = {
  readonly tokens: Tokens;
  readonly signals: Signals;
  readonly queue: CheckQueue;
  readonly sightings: Sightings;
  /** Returns a key of 32 random bytes by name, created by the first caller and the same for all. */
  key(name: string): Promise<Buffer>;
  /** Rejects if the store does not respond. */
  /** The statements running or waiting for one of so many connections, if the store has them. */
  statements?(): { readonly open: number; readonly connections: number };
  ping(): Promise<void>;
  close(): Promise<void>;
};
