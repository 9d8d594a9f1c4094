import type { Requirement } from "../../../gates/gate.ts";
import type { Demand, Unclear } from "./demand.ts";

/**
 * Puts what several places say about one field together. Two boxes are two demands: the second of one name gets `_2`, and that
 * is said. Sentences about one field add up; two that give it different types contradict each other.
 */
export function mergeDemands(demands: readonly Demand[]): {
  readonly demands: readonly Demand[];
  readonly unclear: readonly Unclear[];
  readonly differing: readonly Unclear[];
} {
  const merged = new Map<string, Demand>();
  const unclear: Unclear[] = [];
  const differing: Unclear[] = [];
  for (const demand of demands) {
    const known = merged.get(demand.field);
    if (known === undefined) merged.set(demand.field, demand);
    else if (known.isBox && demand.isBox) {
      const field = freeName(demand.field, merged);
      merged.set(field, { ...demand, field });
      differing.push({
        line: demand.line,
        message: `${demand.field} is the name of two checkboxes, so this one becomes ${field}; give it its own name`,
      });
    } else if (known.isRow && demand.isRow && known.type === demand.type) {
      merged.set(demand.field, both(known, demand));
      const message = `${demand.field} has two rows in the evidence table, and both apply; merge them into one`;
      differing.push({ line: demand.line, message });
    } else if (known.type !== demand.type)
      unclear.push({
        line: demand.line,
        message: `${demand.field} is required as ${demand.type} here and as ${known.type} on line ${known.line}`,
      });
    else merged.set(demand.field, both(known, demand));
  }
  return { demands: [...merged.values()].sort((a, b) => a.line - b.line), unclear, differing };
}

function freeName(name: string, taken: ReadonlyMap<string, Demand>): string {
  let number = 2;
  while (taken.has(`${name}_${number}`)) number += 1;
  return `${name}_${number}`;
}

/** What two places ask of one field, together: every rule of both, and nothing may be left out that one of them wants. */
export function both<Asked extends Demand | Requirement>(known: Asked, other: Asked): Asked {
  const rules = [...known.rules, ...other.rules];
  return {
    ...known,
    required: known.required || other.required,
    rules: [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()],
    ...(known.mayBeEmpty === undefined ? {} : { mayBeEmpty: known.mayBeEmpty && other.mayBeEmpty === true }),
  };
}
