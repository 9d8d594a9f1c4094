import type { CheckResult } from "../gates/check.ts";
import { isOfFileCheck } from "../gates/check-schema.ts";
import { foundFieldsOf, isFromRequiredRunner } from "../gates/check-verdict.ts";
import type { Gate } from "../gates/gate.ts";
import type { JsonObject } from "../kit/json.ts";

/** The checks of a gate whose recorded results used another schema than it has. */
export function checksWithOtherSchemas(gate: Gate | undefined, recorded: readonly CheckResult[]): readonly string[] {
  return (gate?.checks ?? []).flatMap((check) => {
    if (check.kind !== "file" || check.schema === undefined) return [];
    const result = recorded.find(({ name }) => name === check.name);
    return result === undefined || isOfFileCheck(check, result) ? [] : [`its check ${check.name}`];
  });
}

/** Finds contradictions in the record of a completed step: a check that did not pass, evidence that differs from what was found. */
export function recordContradictions(
  gate: Gate | undefined,
  evidence: JsonObject,
  recorded: readonly CheckResult[],
): readonly string[] {
  const checks = gate?.checks ?? [];
  const results = new Map(recorded.map((one) => [one.name, one]));
  const unproved = checks.flatMap((check) => {
    const { name } = check;
    const result = results.get(name);
    if (result === undefined) return [`its check ${name} has no result on record`];
    if (!isFromRequiredRunner(check, result)) return [`its check ${name} was not run by an independent runner`];
    return result.status === "passed" ? [] : [`its check ${name} failed on record: ${result.summary}`];
  });
  if (unproved.length > 0) return unproved;
  return [...foundFieldsOf(checks, recorded)].flatMap(([field, found]) =>
    evidence[field] === found
      ? []
      : [
          `${field} is ${JSON.stringify(evidence[field] ?? null)} in its evidence, but its check found ${found ?? "none"}`,
        ],
  );
}
