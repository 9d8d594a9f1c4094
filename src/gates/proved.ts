import type { CheckStatus } from "./check.ts";
import { statusesOf } from "./check-verdict.ts";
import type { Gate } from "./gate.ts";
import { rulesMeaning } from "./rules-meaning.ts";

/** The findings about a submission: rule violations, the rules' meaning, and check statuses. */
export type SubmissionFindings = {
  readonly violations?: readonly unknown[];
  readonly rules?: string | undefined;
  readonly checks?: readonly CheckStatus[];
};

/** Tells if everything a gate found out supports a submission; without findings nothing is proved, and a warning needs a person. */
export function isFullyVerified(
  gate: Gate | undefined,
  { violations = [], rules, checks }: SubmissionFindings,
): boolean {
  const { checks: wanted = [], rulesHold = false } = gate ?? {};
  const isRuled = rulesHold && rules !== undefined && rules !== rulesMeaning([]);
  const isFoundOut = isRuled || wanted.length > 0;
  return isFoundOut && violations.length === 0 && statusesOf(wanted, checks).every(({ status }) => status === "passed");
}
