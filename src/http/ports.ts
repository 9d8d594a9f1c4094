/** What a token lets its bearer do. */
export const roles = ["agent", "approver", "viewer", "author", "runner"] as const;

export type Role = (typeof roles)[number];

/** A token as it is kept: never itself, only the SHA-256 of it. */
export type Token = {
  readonly name: string;
  readonly role: Role;
  /** The only project that it is good for; null: every one. */
  readonly project: string | null;
  /** SHA-256 of the token, in hexadecimal digits. */
  readonly hash: string;
  readonly createdAt: string;
  readonly revokedAt?: string;
};

/** The tokens of a server, kept in its store. */
export type Tokens = {
  /** Keeps a token; false where one of that name is there and has not been revoked. */
  add(token: Token): Promise<boolean>;
  /** Takes a token back, at that time; false where none of that name is in force. */
  revoke(name: string, at: string): Promise<boolean>;
  list(): Promise<TokenList>;
};

/** Every token, revoked ones too, as the store has them now; `unreadable`: how many entries cannot be read, and may have been one. */
export type TokenList = { readonly tokens: readonly Token[]; readonly unreadable: number };

/** Words from one replica to all, itself included: of any length, at most once, in no order. A replica that is not listening misses them. */
export type Signals = {
  send(text: string): Promise<void>;
  /** Hears what is sent, until it is told to stop. */
  listen(heard: (text: string) => void): () => void;
};

/** What the replicas of one server have in common, whatever holds it. */
export type Team = {
  readonly tokens: Tokens;
  readonly signals: Signals;
  /** A key of 32 random bytes by its name: made by whoever asks first, the same for all from then on. */
  key(name: string): Promise<Buffer>;
  /** Rejects where the store does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
};
