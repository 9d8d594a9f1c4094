import { canonical } from "../../evidence/json.ts";
import type { Link } from "./chain.ts";
import { lostRace, writingOf } from "./race.ts";

/**
 * Finds the records that belong to another side of the history, which git has merged into this file: they were answered
 * when they were written, and do not count. Given are all records in the order in which they stand, and which of them count.
 */
export function findSetAside(links: readonly Link[], counts: (link: Link) => boolean): ReadonlySet<Link> {
  const counted = new Map(links.filter(counts).map((link) => [link.record.op, link]));
  const known = new Set([...counted.values()].map(({ hash }) => hash));
  const followed = new Set(links.map(({ record }) => record.prev));
  const standing = new Map<string, Link[]>();
  const found = new Set<Link>();
  for (const link of links) {
    const { record, hash } = link;
    const before = standing.get(record.prev) ?? [];
    if (before.length < manySides) standing.set(record.prev, before).get(record.prev)?.push(link);
    if (counts(link) || known.has(hash) || isSame(link, counted.get(record.op))) continue;
    known.add(hash); // the same line twice is one record
    const wasRaced = (first: Link): boolean => first !== link && lostRace(writingOf(record), writingOf(first.record));
    const isLate = !followed.has(hash) && before.some(wasRaced);
    if (!isLate) found.add(link);
  }
  return found;
}

/** Nobody merges more sides than this at one record: whoever wrote such a file must not keep the audit busy for ever. */
const manySides = 100;

/** Whether an operation was written twice, because the first time was not sure to last. */
function isSame({ record }: Link, other: Link | undefined): boolean {
  return other !== undefined && canonical(record.events) === canonical(other.record.events);
}
