import { canonical } from "../../evidence/json.ts";
import { sha256 } from "../../evidence/sha256.ts";
import type { Link } from "./chain.ts";
import { lostRace, writingOf } from "./race.ts";
import { readLine } from "./record.ts";
import type { LineSource } from "./verify-lines.ts";

/**
 * Finds the records that belong to another side of the history, which git has merged into this file: they were answered
 * when they were written, and do not count. Given are the lines, and the records among them that do not count, in the order
 * in which they stand. Answers where they begin.
 */
export function findSetAside(source: LineSource, uncounted: readonly Link[]): ReadonlySet<number> {
  if (uncounted.length === 0) return new Set();
  const isUncounted = new Set(uncounted.map(({ offset }) => offset));
  const links = [...uncounted, ...concerned(source, uncounted, isUncounted)].sort((a, b) => a.offset - b.offset);
  const counted = new Map<string, { readonly link: Link; said?: string }>();
  for (const link of links) if (!isUncounted.has(link.offset)) counted.set(link.record.op, { link });
  const known = new Set([...counted.values()].map(({ link }) => link.hash));
  const followed = new Set(links.map(({ record }) => record.prev));
  const standing = new Map<string, Link[]>();
  const found = new Set<number>();
  for (const link of links) {
    const { record, hash, offset } = link;
    const before = standing.get(record.prev) ?? [];
    if (before.length < manySides) standing.set(record.prev, before).get(record.prev)?.push(link);
    if (!isUncounted.has(offset) || known.has(hash) || isSame(link, counted.get(record.op))) continue;
    known.add(hash); // the same line twice is one record
    const wasRaced = (first: Link): boolean => first !== link && lostRace(writingOf(record), writingOf(first.record));
    const isLate = !followed.has(hash) && before.some(wasRaced);
    if (!isLate) found.add(offset);
  }
  return found;
}

/** Nobody merges more sides than this at one record: whoever wrote such a file must not keep the audit busy for ever. */
const manySides = 20;

/** The records that count and have to do with some that do not: of the same operation, or after the same record, or after one of them. */
function concerned(source: LineSource, uncounted: readonly Link[], isUncounted: ReadonlySet<number>): readonly Link[] {
  const ops = new Set(uncounted.map(({ record }) => record.op));
  const hashes = new Set(uncounted.flatMap(({ record, hash }) => [record.prev, hash]));
  const links: Link[] = [];
  source((bytes, offset) => {
    if (isUncounted.has(offset)) return;
    const [, op, prev] = endOfRecord.exec(bytes.toString("latin1", Math.max(0, bytes.length - 400))) ?? [];
    if (op !== undefined && prev !== undefined && !ops.has(op) && !hashes.has(prev)) return; // seen without taking it apart
    const record = readLine(bytes);
    if (record === undefined || "bridge" in record || !(ops.has(record.op) || hashes.has(record.prev))) return;
    links.push({ record, hash: sha256(bytes), offset });
  });
  return links;
}

/** How a record ends, in canonical JSON: nothing in it that needs an escape. */
const endOfRecord = /,"op":"([\w -]*)","prev":"([0-9a-f]{64})"(?:,"saw":"\w*")?,"seq":\d+\}$/;

/** Whether an operation was written twice, because the first time was not sure to last. */
function isSame({ record }: Link, other: { readonly link: Link; said?: string } | undefined): boolean {
  if (other === undefined) return false;
  other.said ??= canonical(other.link.record.events);
  return canonical(record.events) === other.said;
}
