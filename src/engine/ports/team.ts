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
};

/** The tokens of a server in its store. */
export type Tokens = {
  /** Stores a token; returns false if an active one has this name. */
  add(token: Token): Promise<boolean>;
  /** Revokes a token at that time; returns false if no active one has this name. */
  revoke(name: string, at: string): Promise<boolean>;
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
  /** Returns a key of 32 random bytes by name, created by the first caller and the same for all. */
  key(name: string): Promise<Buffer>;
  /** Rejects if the store does not respond. */
  ping(): Promise<void>;
  close(): Promise<void>;
};
