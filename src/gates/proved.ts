import type { CheckStatus } from "./check.ts";
import { statusesOf } from "./check-verdict.ts";
import type { Gate } from "./gate.ts";
import { rulesMeaning } from "./rules-meaning.ts";

/** The findings about a submission: rule violations, the rules' meaning, check statuses, and waivers. */
export type SubmissionFindings = {
  readonly violations?: readonly unknown[];
  readonly rules?: string | undefined;
  readonly checks?: readonly CheckStatus[];
  readonly waived?: readonly unknown[];
};

/** Tells if everything a gate found out supports a submission; without findings nothing is proved, and a warning or a waiver needs a person. */
export function isFullyVerified(
  gate: Gate | undefined,
  { violations = [], rules, checks, waived = [] }: SubmissionFindings,
): boolean {
  const { checks: wanted = [], rulesHold = false } = gate ?? {};
  const isRuled = rulesHold && rules !== undefined && rules !== rulesMeaning([]);
  const isFoundOut = isRuled || wanted.length > 0;
  const isPlain = violations.length + waived.length === 0;
  return isFoundOut && isPlain && statusesOf(wanted, checks).every(({ status }) => status === "passed");
}
