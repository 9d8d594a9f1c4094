import type { Json } from "../kit/json.ts";
import type { EvidenceRule, EvidenceType, Requirement } from "./gate.ts";
import { describeRule, judgeValue } from "./rule-vocabulary.ts";

/** Names rules of a field that no value can satisfy together, where that is certain. */
export function findClash({ field, type, rules }: Pick<Requirement, "field" | "type" | "rules">): string | undefined {
  const values = rules.flatMap((rule): readonly (readonly Json[])[] =>
    rule.kind === "equals" ? [[rule.value]] : rule.kind === "one_of" ? [rule.values] : [],
  );
  const [candidates] = values;
  const isHopeless =
    candidates === undefined
      ? limits.some((pair) => isEmpty(rules, pair, type))
      : !candidates.some((value) => rules.every((rule) => judgeValue(rule, value) !== false));
  return isHopeless ? `no value of ${field} can be ${rules.map(describeRule).join(" and ")}` : undefined;
}

type Limits = { readonly low: readonly string[]; readonly high: readonly string[] };

const limits: readonly Limits[] = [
  { low: ["at_least", "more_than"], high: ["at_most", "less_than"] },
  { low: ["length_at_least"], high: ["length_at_most"] },
];

/** Tells if the limits of one measure leave no value. */
function isEmpty(rules: readonly EvidenceRule[], { low, high }: Limits, type: EvidenceType): boolean {
  const isWhole = type === "integer" || low.includes("length_at_least");
  const bounds = rules.flatMap((rule) => ("limit" in rule ? [rule] : []));
  return bounds
    .filter(({ kind }) => low.includes(kind))
    .some((least) =>
      bounds
        .filter(({ kind }) => high.includes(kind))
        .some((most) => {
          const isOpen = least.kind === "more_than" || most.kind === "less_than";
          if (!isWhole) return isOpen ? least.limit >= most.limit : least.limit > most.limit;
          const first = least.kind === "more_than" ? Math.floor(least.limit) + 1 : Math.ceil(least.limit);
          const last = most.kind === "less_than" ? Math.ceil(most.limit) - 1 : Math.floor(most.limit);
          return first > last;
        }),
    );
}
