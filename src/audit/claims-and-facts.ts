import type { CheckResult } from "../gates/check.ts";
import type { Json, JsonObject } from "../kit/json.ts";
import type { Event } from "../workflow/events.ts";
import { attemptKey } from "../workflow/step-ref.ts";

/** A field that a check gives: the claimed value, if any, and the value found. */
export type Claim = {
  readonly field: string;
  readonly check: string;
  readonly claimed?: Json;
  readonly found: number;
};

/**
 * Returns a function that takes a history's events in order and yields, for each ended check, refused attempt and completion, the claims
 * beside the facts.
 */
export function claimFinder(): (event: Event) => readonly Claim[] {
  const attempts = new Map<string, AttemptClaims>();
  return (event) => {
    if (
      event.type !== "handed_in" &&
      event.type !== "checked" &&
      event.type !== "refused" &&
      event.type !== "completed"
    )
      return [];
    const key = attemptKey(event);
    const before: AttemptClaims = attempts.get(key) ?? { found: new Map() };
    if (event.type === "completed") {
      attempts.delete(key);
      return compareClaims({ evidence: claimedValues(event) }, before.found);
    }
    if (event.type === "checked") {
      const own = foundFields([event.result]);
      attempts.set(key, { ...before, found: new Map([...before.found, ...own]) });
      return compareClaims(before, own);
    }
    const { evidence = before.evidence } = event;
    const now = evidence === undefined ? before : { ...before, evidence };
    attempts.set(key, now);
    return event.type === "refused" ? compareClaims(now, now.found).filter(({ claimed }) => claimed !== undefined) : [];
  };
}

/** Describes a claim in one line. */
export function describeClaim({ field, check, claimed, found }: Claim): string {
  if (claimed === undefined) return `${field}: found ${found} by ${check}`;
  const text = JSON.stringify(claimed);
  return `${field}: claimed ${text.length > 40 ? `${text.slice(0, 39)}…` : text}, found ${found} by ${check}`;
}

/** The values a completed submission claimed for fields that checks give; its evidence holds the found values. */
function claimedValues({ evidence = {}, claimed = [] }: Event & { type: "completed" }): JsonObject {
  return Object.fromEntries(Object.entries(evidence).filter(([field]) => claimed.includes(field)));
}

type FoundFields = ReadonlyMap<string, { readonly check: string; readonly value: number }>;

/** An attempt so far: the latest submitted evidence and the facts found. */
type AttemptClaims = { readonly evidence?: JsonObject; readonly found: FoundFields };

/** The fields that checks found, with the check that found each. */
export function foundFields(results: readonly CheckResult[]): FoundFields {
  return new Map(
    results.flatMap(({ name, found = {} }) =>
      Object.entries(found).map(([field, value]) => [field, { check: name, value }] as const),
    ),
  );
}

/** Pairs claimed evidence with what checks found. */
export function compareClaims(
  { evidence = {} }: Pick<AttemptClaims, "evidence">,
  found: FoundFields,
): readonly Claim[] {
  return [...found].map(([field, { check, value }]) => {
    const claimed = Object.hasOwn(evidence, field) ? evidence[field] : undefined;
    return { field, check, ...(claimed === undefined || claimed === null ? {} : { claimed }), found: value };
  });
}
