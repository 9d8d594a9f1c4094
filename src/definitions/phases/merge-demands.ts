import type { EvidenceRule } from "../../workflow/gate.ts";
import type { Demand, Unclear } from "./demand.ts";

/** Puts what several places say about one field together; two places that write down different types contradict each other. */
export function mergeDemands(demands: readonly Demand[]): {
  readonly demands: readonly Demand[];
  readonly unclear: readonly Unclear[];
} {
  const merged = new Map<string, Demand>();
  const unclear: Unclear[] = [];
  for (const demand of demands) {
    const known = merged.get(demand.field);
    if (known === undefined) {
      merged.set(demand.field, demand);
      continue;
    }
    if (known.type !== demand.type && known.certainty === "written" && demand.certainty === "written") {
      unclear.push({
        line: demand.line,
        message: `${demand.field} is asked for as ${demand.type} here and as ${known.type} on line ${known.line}`,
      });
    }
    merged.set(demand.field, both(known, demand));
  }
  return { demands: [...merged.values()].sort((a, b) => a.line - b.line), unclear };
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
