import { canonical } from "../../kit/json.ts";
import { sha256 } from "../../kit/sha256.ts";
import { type Link, lostRace, writingOf } from "./journal-chain.ts";
import { parseLine } from "./journal-record.ts";
import type { LineSource } from "./line-source.ts";

/**
 * Finds the forked records that git merged into this file: they were answered when written and do not count. Takes the lines and the
 * records that do not count, in file order; returns their offsets.
 */
export function findForked(source: LineSource, uncounted: readonly Link[]): ReadonlySet<number> {
  if (uncounted.length === 0) return new Set();
  const isUncounted = new Set(uncounted.map(({ offset }) => offset));
  const links = [...uncounted, ...relatedRecords(source, uncounted, isUncounted)].sort((a, b) => a.offset - b.offset);
  const counted = new Map<string, { readonly link: Link; said?: string }>();
  for (const link of links) if (!isUncounted.has(link.offset)) counted.set(link.record.op, { link });
  const known = new Set([...counted.values()].map(({ link }) => link.hash));
  const followed = new Set(links.map(({ record }) => record.prev));
  const status = new Map<string, Link[]>();
  const found = new Set<number>();
  for (const link of links) {
    const { record, hash, offset } = link;
    const before = status.get(record.prev) ?? [];
    if (before.length < manySides) status.set(record.prev, before).get(record.prev)?.push(link);
    if (!isUncounted.has(offset) || known.has(hash) || isSame(link, counted.get(record.op))) continue;
    known.add(hash); // the same line twice is one record
    const wasRaced = (first: Link): boolean => first !== link && lostRace(writingOf(record), writingOf(first.record));
    const isLate = !followed.has(hash) && before.some(wasRaced);
    if (!isLate) found.add(offset);
  }
  return found;
}

/** The most forks at one record, so that a forged file cannot keep the audit busy. */
const manySides = 20;

/** The counted records related to uncounted ones: same operation, same predecessor, or following one. */
function relatedRecords(
  source: LineSource,
  uncounted: readonly Link[],
  isUncounted: ReadonlySet<number>,
): readonly Link[] {
  const ops = new Set(uncounted.map(({ record }) => record.op));
  const hashes = new Set(uncounted.flatMap(({ record, hash }) => [record.prev, hash]));
  const links: Link[] = [];
  source((bytes, offset) => {
    if (isUncounted.has(offset)) return;
    const [, op, prev] = endOfRecord.exec(bytes.toString("latin1", Math.max(0, bytes.length - 400))) ?? [];
    if (op !== undefined && prev !== undefined && !ops.has(op) && !hashes.has(prev)) return; // checked without parsing
    const record = parseLine(bytes);
    if (record === undefined || "bridge" in record || !(ops.has(record.op) || hashes.has(record.prev))) return;
    links.push({ record, hash: sha256(bytes), offset });
  });
  return links;
}

/** The end of a record in canonical JSON, without escapes. */
const endOfRecord = /,"op":"([\w -]*)","prev":"([0-9a-f]{64})"(?:,"saw":"\w*")?,"seq":\d+\}$/;

/** Tells if an operation was written twice because the first write might have been lost. */
function isSame({ record }: Link, other: { readonly link: Link; said?: string } | undefined): boolean {
  if (other === undefined) return false;
  other.said ??= canonical(other.link.record.events);
  return canonical(record.events) === other.said;
}
