import type { CheckResult } from "../evidence/check.ts";
import { digestOf } from "../evidence/json.ts";
import type { Event } from "../workflow/events.ts";
import { shownToAPerson } from "../workflow/judged.ts";

/** Compares what a completion counts with what its digest names. `unknown`: the record does not say enough to tell. */
export function compareWithDigest(
  event: Event & { readonly type: "completed" },
  results: ReadonlyMap<string, CheckResult>,
): "same" | "other" | "unknown" {
  const { outputs, evidence, content = [], violations, digest } = event;
  const handed = {
    ...(outputs === undefined ? {} : { outputs }),
    ...(evidence === undefined ? {} : { evidence }),
    content: content.filter(({ readable }) => readable !== true), // our own readable record is written after it
  };
  const found = violations === undefined ? {} : { violations };
  const isIt = (checks: readonly CheckResult[] | undefined): boolean =>
    digestOf(shownToAPerson(handed, { ...found, ...(checks === undefined ? {} : { checks }) })) === digest;
  if (event.checks !== undefined)
    return isIt(event.checks.flatMap((name) => results.get(name) ?? [])) ? "same" : "other";
  // The record of a gate without checks, or one of before: that has them in the order of a gate that nobody knows.
  const recorded = [...results.values()];
  if (isIt(undefined) || isIt(recorded)) return "same";
  if (recorded.length > mostTried) return "unknown";
  return orders(recorded).some(isIt) ? "same" : "other";
}

/** Of so many checks every order is tried; of more nobody can. */
const mostTried = 6;

function orders<T>(things: readonly T[]): readonly (readonly T[])[] {
  if (things.length < 2) return [things];
  return things.flatMap((first, at) => orders(things.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}
