import { canonical } from "../evidence/json.ts";
import type { AddedCheck } from "../evidence/rules-meaning.ts";

/** The checks that corrections added to rules after a time. One that was on record before had been taken out: no correction. */
export function addedSince(time: string, added: readonly AddedCheck[]): readonly AddedCheck[] {
  const before = new Set(added.filter(({ at }) => at <= time).map(({ correction }) => canonical(correction)));
  return added.filter(({ correction, at }) => at > time && !before.has(canonical(correction)));
}

/** Such checks for people: what they look for, in which rule, since when. */
export function addedInWords(added: readonly AddedCheck[]): string {
  return added
    .map(({ correction, at }) => `/${correction.pattern}/ in ${correction.rule} (${at.slice(0, 10)})`)
    .join(", ");
}
