import { defined } from "../kit/defined.ts";
/** The approval levels, weakest first. */
export const approvalLevels = ["relayed", "elicited", "proven"] as const;

export type ApprovalLevel = (typeof approvalLevels)[number];

/** An approval required before something counts. */
export type ApprovalRule = {
  /** The minimum level. */
  readonly level: ApprovalLevel;
  /** The people whose approval counts; anyone's if left out. */
  readonly by?: readonly string[];
  /** The number of different people who must approve. */
  readonly count: number;
  /** The lifetime in seconds of an approval given elsewhere. */
  readonly expires?: number;
  /** The author's own wording of the question. */
  readonly question?: string;
};

/** A person identified by a key. */
export type Person = { readonly name: string; readonly key: string };

/** The default approval. */
export const anyApproval: ApprovalRule = { level: "relayed", count: 1 };

/** The default lifetime in seconds of an approval given elsewhere. */
export const defaultExpiry = 7 * 86_400;

/** Tells if one level is lower than another. */
export function isBelow(one: ApprovalLevel, other: ApprovalLevel): boolean {
  return approvalLevels.indexOf(one) < approvalLevels.indexOf(other);
}

/** Tells if an answer in a client's form is enough; it does not say who gave it. */
export function isFormEnough({ level, by, count }: ApprovalRule): boolean {
  return level !== "proven" && by === undefined && count === 1;
}

/** The approval with at least this level. */
export function atLeast(approval: ApprovalRule, level: ApprovalLevel = "relayed"): ApprovalRule {
  return isBelow(approval.level, level) ? { ...approval, level } : approval;
}

/** Combines two approvals: never less than either, and only people both allow. */
export function combineApprovalRules(one: ApprovalRule, other: ApprovalRule): ApprovalRule {
  const by = one.by === undefined || other.by === undefined ? (one.by ?? other.by) : sharedNames(one.by, other.by);
  const expires = Math.min(one.expires ?? Number.POSITIVE_INFINITY, other.expires ?? Number.POSITIVE_INFINITY);
  return {
    ...atLeast(one, other.level),
    count: Math.max(one.count, other.count),
    ...defined({ by, question: one.question ?? other.question }),
    ...(Number.isFinite(expires) ? { expires } : {}),
  };
}

function sharedNames(one: readonly string[], other: readonly string[]): readonly string[] {
  return one.filter((name) => other.includes(name));
}
