import type { CheckResult } from "../evidence/check.ts";
import { isOfFileCheck } from "../evidence/check-schema.ts";
import { foundBy } from "../evidence/check-verdict.ts";
import type { Gate } from "../evidence/gate.ts";
import type { JsonObject } from "../evidence/json.ts";

/** The checks of a gate whose results on record were found with another schema than it has. */
export function otherSchemas(gate: Gate | undefined, recorded: readonly CheckResult[]): readonly string[] {
  return (gate?.checks ?? []).flatMap((check) => {
    if (check.kind !== "file" || check.schema === undefined) return [];
    const result = recorded.find(({ name }) => name === check.name);
    return result === undefined || isOfFileCheck(check, result) ? [] : [`its check ${check.name}`];
  });
}

/** What the record of a completed step says against itself: a check of its gate that has not passed, evidence that is not what was found. */
export function recordedOtherwise(
  gate: Gate | undefined,
  evidence: JsonObject,
  recorded: readonly CheckResult[],
): readonly string[] {
  const checks = gate?.checks ?? [];
  const results = new Map(recorded.map((one) => [one.name, one]));
  const unproved = checks.flatMap(({ name }) => {
    const result = results.get(name);
    if (result === undefined) return [`no result of its check ${name} is on record`];
    return result.status === "passed" ? [] : [`its check ${name} failed on record: ${result.summary}`];
  });
  if (unproved.length > 0) return unproved;
  return [...foundBy(checks, recorded)].flatMap(([field, found]) =>
    evidence[field] === found
      ? []
      : [
          `${field} is ${JSON.stringify(evidence[field] ?? null)} in its evidence, and its check found ${found ?? "none"}`,
        ],
  );
}
