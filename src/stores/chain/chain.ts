import { sha256 } from "../../evidence/sha256.ts";
import { lostRace, type Writing, writingOf } from "./race.ts";
import { type Bridge, beginning, type JournalRecord, type Line, readLine, seqOfDamaged } from "./record.ts";

/** The lines of a journal that count, as far as they have been read. */
export type Chain = {
  seq: number;
  /** The hash of the last line that counts. */
  head: string;
  /** The hash of the first line that counts: names the journal. */
  first: string | null;
  /** The latest operations that count, and those before them. */
  ops: Set<string>;
  earlierOps: Set<string>;
  /** Lines that follow one not read yet, by the hash of that one. */
  readonly waiting: Map<string, Link>;
  /** The latest that count, the newest at the end: the hash of the line before each, and how it was written. */
  readonly latest: { readonly prev: string; readonly writing: Writing }[];
  /** The latest lines that lost a race to one that counts, by hash. */
  readonly late: Set<string>;
  /** Lines of another side of the history, by hash: written to a copy that git has merged into this one. A few may be late ones; `verifyLines` knows. */
  readonly aside: Set<string>;
  /** Lines that were whole records once and cannot be read. */
  readonly unreadable: Unreadable[];
};

/** A record, the hash of its line, and where the line begins. */
export type Link = { readonly record: JournalRecord; readonly hash: string; readonly offset: number };

/** A line that cannot be read: the place where it begins, and the number that the record had. */
export type Unreadable = { readonly offset: number; readonly seq: number };

/** Records that no reader can come to: the one before them is lost, or is not what it was. */
export type Break = { readonly offset: number; readonly seq: number; readonly bridge: Bridge };

/** Begins a chain. */
export function emptyChain(): Chain {
  return {
    seq: 0,
    head: beginning,
    first: null,
    ops: new Set(),
    earlierOps: new Set(),
    waiting: new Map(),
    latest: [],
    late: new Set(),
    aside: new Set(),
    unreadable: [],
  };
}

/**
 * Reads the next line of a journal: the records that count because of it, in order. The first line to extend the head wins;
 * any other changes nothing. The line that its reader has just written is known by its bytes, and not taken apart again.
 */
export function extend(chain: Chain, bytes: Buffer, offset = 0, written?: Line): readonly Link[] {
  const own = written !== undefined && bytes.equals(Buffer.from(written.text)) ? written : undefined;
  const line = own?.record ?? readLine(bytes);
  if (line === undefined) {
    noteDamaged(chain, bytes, offset);
    return [];
  }
  return "bridge" in line
    ? extendBy(chain, line)
    : extendBy(chain, { record: line, hash: own?.hash ?? sha256(bytes), offset });
}

/** The same for a line that has been taken apart. */
export function extendBy(chain: Chain, line: Link | { readonly bridge: Bridge }): readonly Link[] {
  if ("bridge" in line) return cross(chain, line.bridge);
  const { seq, prev } = line.record;
  if (seq === chain.seq + 1 && prev === chain.head) return count(chain, line);
  // The one before it may stand further on: written once more after the disk lost the first copy.
  const canWait = seq > chain.seq && !chain.waiting.has(prev) && !isBeside(chain, prev);
  if (canWait) chain.waiting.set(prev, line);
  else putAside(chain, line);
  return [];
}

/** A line that cannot be read: the number that its record had, where it is one that is still to come. */
export function noteDamaged(chain: Chain, bytes: Buffer, offset: number): number | undefined {
  const seq = seqOfDamaged(bytes);
  if (seq === undefined || seq <= chain.seq) return undefined;
  chain.unreadable.push({ offset, seq });
  return seq;
}

/** Tells whether a line stands in the journal beside the ones that count. */
export function isBeside({ late, aside }: Chain, hash: string): boolean {
  return aside.has(hash) || late.has(hash);
}

/** A line that does not count: written again, too late, or of another side. */
function putAside(chain: Chain, { record, hash }: Link): void {
  const { late, aside, latest, waiting } = chain;
  if (counts(chain, record.op) || aside.has(hash)) return;
  if (late.delete(record.prev)) aside.add(record.prev); // somebody went on from it: it was believed
  const first = latest.find(({ prev }) => prev === record.prev)?.writing;
  if (waiting.has(hash)) leaveAside(chain, hash);
  else if (first === undefined || !lostRace(writingOf(record), first)) aside.add(hash);
  else keepLatest(late.add(hash));
}

function keepLatest(late: Set<string>): void {
  const [oldest] = late.size > rememberedOps ? late : [];
  if (oldest !== undefined) late.delete(oldest);
}

/** Finds the first records that wait for one that is lost or not what it was; undefined where the chain is whole. */
export function findBreak(chain: Chain): Break | undefined {
  let first: Link | undefined;
  for (const link of chain.waiting.values())
    if (canFollow(chain, link) && (first === undefined || link.record.seq < first.record.seq)) first = link;
  return first === undefined ? undefined : breakBefore(chain, first);
}

/** Every break that is left at the end, in order; each is crossed before the next is asked for. It ends, whatever stands there. */
export function* breaksOf(chain: Chain): Generator<Break> {
  const waiting = [...chain.waiting.values()].sort((a, b) => a.record.seq - b.record.seq);
  for (const link of waiting)
    if (chain.waiting.get(link.record.prev) === link && canFollow(chain, link)) yield breakBefore(chain, link);
}

/** Whether the history can go on with records that wait. An operation that counts already does not count again, whatever follows it. */
function canFollow(chain: Chain, { record }: Link): boolean {
  return record.seq > chain.seq && !counts(chain, record.op);
}

function breakBefore({ head }: Chain, { record, offset }: Link): Break {
  return { offset, seq: record.seq, bridge: { from: head, to: record.prev } };
}

/** Goes on where somebody has found the chain broken and said so: from there on, every reader goes on at the same place. */
function cross(chain: Chain, { from, to }: Bridge): readonly Link[] {
  const link = chain.waiting.get(to);
  if (isBeside(chain, from)) leaveAside(chain, to);
  if (from !== chain.head || link === undefined || !canFollow(chain, link)) return [];
  chain.seq = link.record.seq - 1;
  return count(chain, link);
}

/** Another side was mended before it was merged: what follows there follows it still. */
function leaveAside({ waiting, aside }: Chain, from: string): void {
  aside.add(from);
  for (let link = waiting.get(from); link !== undefined; link = waiting.get(link.hash)) {
    waiting.delete(link.record.prev);
    aside.add(link.hash);
  }
}

function count(chain: Chain, link: Link): readonly Link[] {
  const counted: Link[] = [];
  let next: Link | undefined = link;
  while (next !== undefined && next.record.seq === chain.seq + 1 && !counts(chain, next.record.op)) {
    chain.seq += 1;
    chain.head = next.hash;
    chain.first ??= next.hash;
    remember(chain, next.record.op);
    chain.latest.push({ prev: next.record.prev, writing: writingOf(next.record) });
    if (chain.latest.length > rememberedWritings) chain.latest.shift();
    counted.push(next);
    if (chain.waiting.size === 0) break;
    chain.waiting.delete(next.record.prev);
    next = chain.waiting.get(chain.head);
  }
  return counted;
}

/** An operation is written again by the process that holds it, soon or never: every reader remembers the same ones. */
const rememberedOps = 1000;
/** So many may count between a look and a write. */
const rememberedWritings = 16;

function remember(chain: Chain, op: string): void {
  if (chain.seq % rememberedOps === 0) [chain.earlierOps, chain.ops] = [chain.ops, new Set()];
  chain.ops.add(op);
}

/** Tells whether an operation counts, as far as it is remembered. */
export function counts(chain: Chain, op: string): boolean {
  return chain.ops.has(op) || chain.earlierOps.has(op);
}
