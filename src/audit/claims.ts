import type { CheckResult } from "../evidence/check.ts";
import type { Json, JsonObject } from "../evidence/json.ts";
import type { Event } from "../workflow/events.ts";
import { attemptKey } from "../workflow/step-ref.ts";

/** A field that a check gives: what was claimed of it, where anything was, and what the check found. */
export type Claim = {
  readonly field: string;
  readonly check: string;
  readonly claimed?: Json;
  readonly found: number;
};

/**
 * Finds claims beside facts in one history: fed with its events in order, it says of a check that ended, of a try that was turned
 * down and of a completion what had been claimed of the fields that checks give, and what they found.
 */
export function claimFinder(): (event: Event) => readonly Claim[] {
  const attempts = new Map<string, Attempt>();
  return (event) => {
    if (
      event.type !== "handed_in" &&
      event.type !== "checked" &&
      event.type !== "refused" &&
      event.type !== "completed"
    )
      return [];
    const key = attemptKey(event);
    const before: Attempt = attempts.get(key) ?? { found: new Map() };
    if (event.type === "completed") {
      attempts.delete(key);
      return claimsIn({ evidence: asClaimed(event) }, before.found);
    }
    if (event.type === "checked") {
      const own = foundIn([event.result]);
      attempts.set(key, { ...before, found: new Map([...before.found, ...own]) });
      return claimsIn(before, own);
    }
    const { evidence = before.evidence } = event;
    const now = evidence === undefined ? before : { ...before, evidence };
    attempts.set(key, now);
    return event.type === "refused" ? claimsIn(now, now.found).filter(({ claimed }) => claimed !== undefined) : [];
  };
}

/** A claim in words. */
export function claimText({ field, check, claimed, found }: Claim): string {
  if (claimed === undefined) return `${field}: found ${found} by ${check}`;
  const text = JSON.stringify(claimed);
  return `${field}: claimed ${text.length > 40 ? `${text.slice(0, 39)}…` : text}, found ${found} by ${check}`;
}

/** What a completed hand-in claimed of the fields that checks give: its evidence has what they found, claimed or not. */
function asClaimed({ evidence = {}, claimed = [] }: Event & { type: "completed" }): JsonObject {
  return Object.fromEntries(Object.entries(evidence).filter(([field]) => claimed.includes(field)));
}

type Found = ReadonlyMap<string, { readonly check: string; readonly value: number }>;

/** What is known of an attempt so far: the evidence that was handed in last, and what was found. */
type Attempt = { readonly evidence?: JsonObject; readonly found: Found };

/** What checks found of the fields of the evidence, and which did. */
export function foundIn(results: readonly CheckResult[]): Found {
  return new Map(
    results.flatMap(({ name, found = {} }) =>
      Object.entries(found).map(([field, value]) => [field, { check: name, value }] as const),
    ),
  );
}

/** What evidence claims of the fields that checks give, beside what they found. */
export function claimsIn({ evidence = {} }: Pick<Attempt, "evidence">, found: Found): readonly Claim[] {
  return [...found].map(([field, { check, value }]) => {
    const claimed = Object.hasOwn(evidence, field) ? evidence[field] : undefined;
    return { field, check, ...(claimed === undefined || claimed === null ? {} : { claimed }), found: value };
  });
}
