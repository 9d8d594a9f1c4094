import type { CheckResult } from "../gates/check.ts";
import { defined } from "../kit/defined.ts";
import { digestOf, type JsonObject } from "../kit/json.ts";
import type { Event } from "../workflow/events.ts";
import { approvedContent } from "../workflow/judged-by-hash.ts";

/** Compares a completion with its digest; "unknown" means the record does not say enough. */
export function compareWithDigest(
  event: Event & { readonly type: "completed" },
  results: ReadonlyMap<string, CheckResult>,
  inputs: JsonObject | undefined,
): "same" | "other" | "unknown" {
  const { outputs, evidence, content = [], violations, digest, waived, items } = event;
  const submitted = {
    ...defined({ outputs, evidence }),
    content: content.filter(({ readable }) => readable !== true), // our own readable record is written after it
  };
  const found = defined({ violations, waived, inputs, items });
  const isIt = (checks: readonly CheckResult[] | undefined): boolean =>
    digestOf(approvedContent(submitted, { ...found, ...defined({ checks }) })) === digest;
  if (event.checks !== undefined)
    return isIt(event.checks.flatMap((name) => results.get(name) ?? [])) ? "same" : "other";
  // A gate without checks, or an older record, whose checks are in an unknown order.
  const recorded = [...results.values()];
  if (isIt(undefined) || isIt(recorded)) return "same";
  if (recorded.length > mostTried) return "unknown";
  return orders(recorded).some(isIt) ? "same" : "other";
}

/** The most checks for which every order is tried. */
const mostTried = 6;

function orders<T>(things: readonly T[]): readonly (readonly T[])[] {
  if (things.length < 2) return [things];
  return things.flatMap((first, at) => orders(things.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}
