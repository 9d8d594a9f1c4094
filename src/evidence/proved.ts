import type { CheckStanding } from "./check.ts";
import { standingsOf } from "./check-verdict.ts";
import type { Gate } from "./gate.ts";
import { rulesMeaning } from "./rules-meaning.ts";

/** What was found out about a hand-in: what the rules found, the name of what they demand, and how the checks stand. */
export type FoundOut = {
  readonly violations?: readonly unknown[];
  readonly rules?: string | undefined;
  readonly checks?: readonly CheckStanding[];
};

/**
 * Whether everything that a gate has found out speaks for a hand-in. Where nothing is found out nothing is proved, and a rule
 * that is broken as a warning only is a person's to accept.
 */
export function isProved(gate: Gate | undefined, { violations = [], rules, checks }: FoundOut): boolean {
  const { checks: wanted = [], rulesHold = false } = gate ?? {};
  const isRuled = rulesHold && rules !== undefined && rules !== rulesMeaning([]);
  const isFoundOut = isRuled || wanted.length > 0;
  return (
    isFoundOut && violations.length === 0 && standingsOf(wanted, checks).every(({ status }) => status === "passed")
  );
}
