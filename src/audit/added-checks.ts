import type { AddedCheck } from "../gates/rules-meaning.ts";
import { canonical } from "../kit/json.ts";

/** The checks that corrections added to rules after `time`, except those that were on record before and were removed. */
export function addedChecksSince(time: string, added: readonly AddedCheck[]): readonly AddedCheck[] {
  const before = new Set(added.filter(({ at }) => at <= time).map(({ correction }) => canonical(correction)));
  return added.filter(({ correction, at }) => at > time && !before.has(canonical(correction)));
}

/** Describes added checks for people: the pattern, the rule and the date. */
export function describeAddedChecks(added: readonly AddedCheck[]): string {
  return added
    .map(({ correction, at }) => `/${correction.pattern}/ in ${correction.rule} (${at.slice(0, 10)})`)
    .join(", ");
}
