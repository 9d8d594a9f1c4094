/** How a person's word can reach us, the one that proves least first. */
export const levels = ["relayed", "elicited", "proven"] as const;

export type Level = (typeof levels)[number];

/** A person's word that is needed before something counts. */
export type Approval = {
  /** A word of a lower level does not count. */
  readonly level: Level;
  /** Whose word counts; anybody's who can give one, where nobody is named. */
  readonly by?: readonly string[];
  /** How many different people must agree. */
  readonly count: number;
  /** How long a yes that was given elsewhere counts, in seconds. */
  readonly expires?: number;
};

/** Somebody whose key proves who they are. */
export type Person = { readonly name: string; readonly key: string };

/** What an approval is that nobody says more of. */
export const anyWord: Approval = { level: "relayed", count: 1 };

/** So long a yes that was given elsewhere counts where nobody says how long, in seconds. */
export const usualExpiry = 7 * 86_400;

/** Whether a word of one level is less than another. */
export function isBelow(one: Level, other: Level): boolean {
  return levels.indexOf(one) < levels.indexOf(other);
}

/** Whether an answer to a question that a client puts is enough: it says nothing of whose it is. */
export function isFormEnough({ level, by, count }: Approval): boolean {
  return level !== "proven" && by === undefined && count === 1;
}

/** An approval of at least this level. */
export function atLeast(approval: Approval, level: Level = "relayed"): Approval {
  return isBelow(approval.level, level) ? { ...approval, level } : approval;
}

/** What two approvals ask for together: never less than one of them, and only people whom both allow. */
export function bothApprovals(one: Approval, other: Approval): Approval {
  const by = one.by === undefined || other.by === undefined ? (one.by ?? other.by) : inBoth(one.by, other.by);
  const expires = Math.min(one.expires ?? Number.POSITIVE_INFINITY, other.expires ?? Number.POSITIVE_INFINITY);
  return {
    ...atLeast(one, other.level),
    count: Math.max(one.count, other.count),
    ...(by === undefined ? {} : { by }),
    ...(Number.isFinite(expires) ? { expires } : {}),
  };
}

function inBoth(one: readonly string[], other: readonly string[]): readonly string[] {
  return one.filter((name) => other.includes(name));
}
