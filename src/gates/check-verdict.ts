import { digestOf, type Json, type JsonObject } from "../kit/json.ts";
import type { Check, CheckResult, CheckStatus } from "./check.ts";
import type { Gap, Gate, Observations } from "./gate.ts";
import { fieldsOf } from "./judge-comparison.ts";
import { listGaps } from "./judge-evidence.ts";

/** Hashes what a check requires, independent of its position and its neighbours; its schema is hashed apart (`check-schema.ts`). */
export function checkMeaning(check: Check): JsonObject {
  return JSON.parse(JSON.stringify({ ...check, source: undefined, never: undefined, schemaText: undefined }));
}

/** The evidence fields that checks find, with the values; null if unknown. */
export function foundFieldsOf(
  checks: readonly Check[],
  statuses: readonly CheckStatus[] = [],
): ReadonlyMap<string, number | null> {
  const results = new Map(statuses.map((one) => [one.name, one]));
  return new Map(
    checks.flatMap((check) => {
      const result = results.get(check.name);
      const facts = result !== undefined && "facts" in result ? result.facts : undefined;
      const gives = check.kind === "command" ? Object.entries(check.gives) : [];
      return gives.map(([field, fact]): [string, number | null] => [field, facts?.[fact] ?? null]);
    }),
  );
}

/** The gate without the fields its checks find: what must be there before they run. */
export function withoutFoundFields(gate: Gate): Gate {
  const given = foundFieldsOf(gate.checks ?? []);
  return {
    ...gate,
    requirements: gate.requirements.filter(({ field }) => !given.has(field)),
    comparisons: gate.comparisons.filter((one) => !fieldsOf(one).some((field) => given.has(field))),
  };
}

/** The evidence with found values replacing claims. */
export function withFoundValues(evidence: JsonObject, found: ReadonlyMap<string, number | null>): JsonObject {
  const known = [...found].filter((one): one is [string, number] => one[1] !== null);
  return known.length === 0 ? evidence : { ...evidence, ...Object.fromEntries(known) };
}

/** Lists claims that differ from what was found. */
export function falseClaims(evidence: JsonObject, found: ReadonlyMap<string, number | null>): readonly Gap[] {
  return [...found].flatMap(([field, value]): Gap[] => {
    const claimed = Object.hasOwn(evidence, field) ? evidence[field] : undefined;
    if (value === null || claimed === undefined || claimed === null || claimed === value) return [];
    const text = `${field} (claimed ${showClaim(claimed)}, found ${value})`;
    return [{ field, kind: "validation_failed", text }];
  });
}

function showClaim(claimed: Json): string {
  const text = JSON.stringify(claimed);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

/** Lists what the check results leave missing: false claims and rules on found values. */
export function gapsFound(
  gate: Gate,
  evidence: JsonObject,
  statuses: readonly CheckStatus[],
  ...rest: [Observations?, Parameters<typeof listGaps>[3]?]
): readonly Gap[] {
  const found = foundFieldsOf(gate.checks ?? [], statuses);
  const lies = falseClaims(evidence, found);
  const lied = new Set(lies.map(({ field }) => field));
  const gaps = listGaps(gate, withFoundValues(evidence, found), ...rest);
  return [...lies, ...gaps.filter(({ field }) => !lied.has(field))];
}

/** The status of each check; one without a result has not passed. */
export function statusesOf(checks: readonly Check[], statuses: readonly CheckStatus[] = []): readonly CheckStatus[] {
  const known = new Map(statuses.map((one) => [one.name, one]));
  return checks.map((check) => {
    const { name } = check;
    const found = known.get(name) ?? { name, status: "stale", definition: "", summary: "not run" };
    return found.status === "passed" && !isFromRequiredRunner(check, found) ? { ...found, ...notIndependent } : found;
  });
}

/** Tells if a result came from a runner that the check accepts. */
export function isFromRequiredRunner({ runner }: Check, { signed }: Pick<CheckResult, "signed">): boolean {
  return runner === undefined || signed?.level === runner;
}

const notIndependent = { status: "failed", summary: "it needs the result of an independent runner" } as const;

/** The part of a result that an approval covers: not its time or output. */
export function approvedPartOf({ name, definition, status, ...rest }: CheckStatus): JsonObject {
  const facts = "facts" in rest && rest.facts !== undefined ? { facts: { ...rest.facts } } : {};
  return { name, definition, status, ...facts };
}

/** Tells if a result still applies: same check, same files. */
export function isStillValid(result: CheckResult, definition: string, reads: string): boolean {
  return result.definition === definition && result.reads === reads;
}

/** The canonical text of a value, for comparing. */
export function canonicalText(value: Json): string {
  return digestOf(value).slice(0, 32);
}
