import type { Check, CheckResult, CheckStanding } from "./check.ts";
import { fieldsOf } from "./evidence-comparison.ts";
import { type Gap, type Gate, listGaps, type Observations } from "./gate.ts";
import { digestOf, type Json, type JsonObject } from "./json.ts";

/** Names a check by what it asks for; where it stands in its file, and what stands beside it, does not matter. What its schema says is named apart (`check-schema.ts`). */
export function checkMeaning(check: Check): JsonObject {
  return JSON.parse(JSON.stringify({ ...check, source: undefined, never: undefined, schemaText: undefined }));
}

/** The fields of the evidence that checks find, and what they found; null where that is not known. */
export function foundBy(
  checks: readonly Check[],
  standings: readonly CheckStanding[] = [],
): ReadonlyMap<string, number | null> {
  const results = new Map(standings.map((one) => [one.name, one]));
  return new Map(
    checks.flatMap((check) => {
      const result = results.get(check.name);
      const facts = result !== undefined && "facts" in result ? result.facts : undefined;
      const gives = check.kind === "command" ? Object.entries(check.gives) : [];
      return gives.map(([field, fact]): [string, number | null] => [field, facts?.[fact] ?? null]);
    }),
  );
}

/** A gate without the fields that its checks find: what must be there before any of them is run. */
export function withoutFound(gate: Gate): Gate {
  const given = foundBy(gate.checks ?? []);
  return {
    ...gate,
    requirements: gate.requirements.filter(({ field }) => !given.has(field)),
    comparisons: gate.comparisons.filter((one) => !fieldsOf(one).some((field) => given.has(field))),
  };
}

/** Evidence with what was found in it: what is found counts, whatever was claimed. */
export function withFound(evidence: JsonObject, found: ReadonlyMap<string, number | null>): JsonObject {
  const known = [...found].filter((one): one is [string, number] => one[1] !== null);
  return known.length === 0 ? evidence : { ...evidence, ...Object.fromEntries(known) };
}

/** What was claimed otherwise than it was found. */
export function falseClaims(evidence: JsonObject, found: ReadonlyMap<string, number | null>): readonly Gap[] {
  return [...found].flatMap(([field, value]): Gap[] => {
    const claimed = Object.hasOwn(evidence, field) ? evidence[field] : undefined;
    if (value === null || claimed === undefined || claimed === null || claimed === value) return [];
    const text = `${field} (claimed ${shown(claimed)}, found ${value})`;
    return [{ field, kind: "validation_failed", text }];
  });
}

function shown(claimed: Json): string {
  const text = JSON.stringify(claimed);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

/** Everything that the results of its checks leave a gate lacking: claims that are not true, and demands on what was found. */
export function gapsFound(
  gate: Gate,
  evidence: JsonObject,
  standings: readonly CheckStanding[],
  ...rest: [Observations?, Parameters<typeof listGaps>[3]?]
): readonly Gap[] {
  const found = foundBy(gate.checks ?? [], standings);
  const lies = falseClaims(evidence, found);
  const lied = new Set(lies.map(({ field }) => field));
  const gaps = listGaps(gate, withFound(evidence, found), ...rest);
  return [...lies, ...gaps.filter(({ field }) => !lied.has(field))];
}

/** How each check stands; one that nobody looked at has not been passed. */
export function standingsOf(
  checks: readonly Check[],
  standings: readonly CheckStanding[] = [],
): readonly CheckStanding[] {
  const known = new Map(standings.map((one) => [one.name, one]));
  return checks.map(
    ({ name }) => known.get(name) ?? { name, status: "stale", definition: "", summary: "it was not run" },
  );
}

/** What of a check's result a person says yes to: not when it ran, nor what it wrote. */
export function shownOf({ name, definition, status, ...rest }: CheckStanding): JsonObject {
  const facts = "facts" in rest && rest.facts !== undefined ? { facts: { ...rest.facts } } : {};
  return { name, definition, status, ...facts };
}

/** Tells whether a result still says something: of the same check, on the same files. */
export function holds(result: CheckResult, definition: string, reads: string): boolean {
  return result.definition === definition && result.reads === reads;
}

/** Names a value for comparing. */
export function nameOf(value: Json): string {
  return digestOf(value).slice(0, 32);
}
