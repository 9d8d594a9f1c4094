import type { EvidenceRule } from "../../../workflow/gate.ts";
import type { Demand, Unclear } from "./demand.ts";

/**
 * Puts what several places say about one field together. Two places that write down different types contradict each other;
 * where at least one type is only read out of words, the surer or first one counts, and that is said.
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
    if (known === undefined) {
      merged.set(demand.field, demand);
      continue;
    }
    if (contradict(known, demand)) {
      const isWritten = known.certainty === "written" && demand.certainty === "written";
      (isWritten ? unclear : differing).push({
        line: demand.line,
        message: `${demand.field} is asked for as ${demand.type} here and as ${known.type} on line ${known.line}`,
      });
    }
    merged.set(demand.field, both(known, demand));
  }
  return { demands: [...merged.values()].sort((a, b) => a.line - b.line), unclear, differing };
}

function contradict(one: Demand, other: Demand): boolean {
  const isNumber = ({ type }: Demand): boolean => type === "integer" || type === "number";
  const isWritten = one.certainty === "written" && other.certainty === "written";
  if (one.type === other.type || one.certainty === "assumed" || other.certainty === "assumed") return false;
  return isWritten || !(isNumber(one) && isNumber(other));
}

function both(known: Demand, demand: Demand): Demand {
  const surer = sureness[demand.certainty] > sureness[known.certainty] ? demand : known;
  const other = surer === known ? demand : known;
  return {
    ...surer,
    required: known.required || demand.required,
    mayBeEmpty: known.mayBeEmpty && demand.mayBeEmpty,
    // Rules read under another type would not fit this one.
    rules: surer.type === other.type ? distinct([...known.rules, ...demand.rules]) : surer.rules,
    line: known.line,
  };
}

const sureness = { written: 2, read: 1, assumed: 0 } as const;

function distinct(rules: readonly EvidenceRule[]): EvidenceRule[] {
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}
