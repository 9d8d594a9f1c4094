import type { Gate } from "../../../gates/gate.ts";
import { describeRule } from "../../../gates/rule-vocabulary.ts";

/** The demands of a gate in words, one line each. */
export function asked({ requirements }: Gate): string[] {
  return requirements.map(({ field, type, required, rules, mayBeEmpty }) =>
    [
      `${field} ${type}`,
      ...(required ? [] : ["optional"]),
      ...(mayBeEmpty ? ["may be empty"] : []),
      ...rules.map(describeRule),
    ].join(", "),
  );
}
