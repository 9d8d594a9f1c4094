import type { JsonObject } from "../kit/json.ts";
import { findFieldGaps, gapOf, isUnusable } from "./field-gaps.ts";
import type { Comparison, Earlier, Gap, Gate, Observations } from "./gate.ts";
import { fieldsOf, judgeComparison } from "./judge-comparison.ts";
import { findHints } from "./name-hints.ts";
import { problemText } from "./problem.ts";
import { fieldValue } from "./value-type.ts";

/** The texts of `listGaps`. */
export function findGaps(gate: Gate, evidence: JsonObject, observed?: Observations, earlier?: Earlier): string[] {
  return listGaps(gate, evidence, observed, earlier).map(({ text }) => text);
}

/**
 * Lists everything the evidence lacks; an empty list opens the gate. A comparison is skipped if one of its fields is already listed or
 * all its fields are optional and left out; with only some of them it fails.
 */
export function listGaps(
  gate: Gate,
  evidence: JsonObject,
  observed: Observations = new Map(),
  earlier: Earlier = new Map(),
): Gap[] {
  if (gate.closed !== undefined)
    return [gapOf("gate", "validation_error", `it cannot be read: ${problemText(gate.closed)}`)];
  const { requirements, comparisons } = gate;
  const asked = new Set(requirements.map(({ field }) => field));
  const missing = requirements.filter(({ field, required }) => required && fieldValue(evidence, field) === null);
  const spare = missing.length === 0 ? [] : Object.keys(evidence).filter((name) => !asked.has(name));
  const names = missing.map(({ field }) => field);
  const hints = spare.length === 0 ? new Map<string, string>() : findHints(names, spare);
  const unusable = requirements.filter((requirement) => isUnusable(requirement, evidence));
  const reported = new Set(unusable.map(({ field }) => field));
  return [
    ...requirements.flatMap((requirement) => findFieldGaps(requirement, evidence, observed, hints)),
    ...comparisons.flatMap((comparison) => findComparisonGap(comparison, evidence, asked, reported, earlier)),
  ];
}

function findComparisonGap(
  comparison: Comparison,
  evidence: JsonObject,
  asked: ReadonlySet<string>,
  reported: ReadonlySet<string>,
  earlier: Earlier,
): Gap[] {
  const fields = fieldsOf(comparison);
  if (fields.some((field) => reported.has(field))) return [];
  const absent = fields.filter((field) => fieldValue(evidence, field) === null);
  if (absent.length === fields.length && absent.every((field) => asked.has(field)) && fields.length > 0) return [];
  const about = fields.length === 0 ? "evidence" : fields.join(", ");
  if (absent.length > 0) return [gapOf(about, "validation_error", `${absent.join(", ")} must be present as well`)];
  const verdict = judgeComparison(comparison, evidence, earlier);
  if (verdict === null) return [];
  if ("failed" in verdict) return [gapOf(about, "validation_failed", verdict.failed)];
  return [gapOf(about, "validation_error", verdict.unchecked)];
}
