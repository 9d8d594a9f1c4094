import fc from "fast-check";
import { expect, test } from "vitest";
import { wholeOr } from "../../test/whole.ts";
import type { Condition, ConditionTest } from "./condition.ts";
import type { EvidenceRule, Requirement } from "./gate.ts";
import { hopelessPart, knownOfField } from "./hopeless-condition.ts";
import { judgeCondition } from "./judge-condition.ts";
import { judgeValue } from "./rule-vocabulary.ts";

const number = fc.integer({ min: -1, max: 4 });
const signs = ["at_least", "more_than", "at_most", "less_than", "equal_to", "different_from"] as const;
const comparison: fc.Arbitrary<ConditionTest> = fc
  .record({ value: number, is: fc.constantFrom(...signs), isMirrored: fc.boolean() })
  .map(({ value, is, isMirrored }) =>
    isMirrored ? { left: { value }, is, right: { field: "n" } } : { left: { field: "n" }, is, right: { value } },
  );
const rule: fc.Arbitrary<EvidenceRule> = fc.oneof(
  fc.record({ kind: fc.constantFrom("at_least", "more_than", "at_most", "less_than"), limit: number }),
  fc.record({ kind: fc.constant("equals"), value: number }),
  fc.record({ kind: fc.constant("one_of"), values: fc.array(number, { minLength: 1, maxLength: 3 }) }),
);

test("a condition of whole numbers is called hopeless only if no value that the gate lets through fulfils it", () => {
  fc.assert(
    fc.property(
      fc.array(comparison, { minLength: 1, maxLength: 3 }),
      fc.array(rule, { maxLength: 2 }),
      (all, rules) => {
        const condition: Condition = { all };
        const n: Requirement = { field: "n", type: "integer", required: true, description: "", rules };
        const isHopeless =
          hopelessPart(condition, (one) => ("field" in one ? knownOfField(n) : undefined)) !== undefined;
        const holds = Array.from({ length: 12 }, (_, at) => at - 4)
          .filter((value) => rules.every((one) => judgeValue(one, value) !== false))
          .some((value) => {
            const facts = { evidence: { n: value }, inputs: {}, evidenceOf: () => undefined, roundsOf: () => 0 };
            return judgeCondition(condition, facts).holds === true;
          });
        if (isHopeless) expect(holds).toBe(false);
      },
    ),
    { numRuns: wholeOr(3_000, 600) },
  );
});
