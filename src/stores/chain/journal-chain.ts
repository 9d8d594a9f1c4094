import { sha256 } from "../../kit/sha256.ts";
import {
  type Bridge,
  genesisHash,
  type JournalLine,
  type JournalRecord,
  parseLine,
  seqOfDamaged,
} from "./journal-record.ts";

/** The lines of a journal that count, as far as read. */
export type Chain = {
  seq: number;
  /** The hash of the last line that counts. */
  head: string;
  /** The hash of the first line that counts, which names the journal. */
  first: string | null;
  /** The latest operations that count, and earlier ones. */
  ops: Set<string>;
  earlierOps: Set<string>;
  /** Lines whose predecessor has not been read yet, by its hash. */
  readonly waiting: Map<string, Link>;
  /** The latest lines that count, newest last: each line's predecessor and how it was written. */
  readonly latest: { readonly prev: string; readonly writing: Writing }[];
  /** The latest lines that lost a race to one that counts, by hash. */
  readonly late: Set<string>;
  /** Forked lines by hash: written to a copy that git merged into this one. A few may have lost a race; `verifyLines` tells. */
  readonly forked: Set<string>;
  /** Lines that were whole records once and cannot be read now. */
  readonly unreadable: Unreadable[];
};

/** A record, the hash of its line, and the line's offset. */
export type Link = { readonly record: JournalRecord; readonly hash: string; readonly offset: number };

/** An unreadable line: its offset and the number its record had. */
export type Unreadable = { readonly offset: number; readonly seq: number };

/** Records that cannot be reached: the one before them is lost or changed. */
export type Break = { readonly offset: number; readonly seq: number; readonly bridge: Bridge };

/** Starts a chain. */
export function emptyChain(): Chain {
  return {
    seq: 0,
    head: genesisHash,
    first: null,
    ops: new Set(),
    earlierOps: new Set(),
    waiting: new Map(),
    latest: [],
    late: new Set(),
    forked: new Set(),
    unreadable: [],
  };
}

/**
 * Reads the next line of a journal and returns the records that now count, in order. The first line to extend the head wins; others
 * change nothing. A line this reader just wrote is recognized by its bytes and not parsed again.
 */
export function extend(chain: Chain, bytes: Buffer, offset = 0, written?: JournalLine): readonly Link[] {
  const own = written !== undefined && bytes.equals(Buffer.from(written.text)) ? written : undefined;
  const line = own?.record ?? parseLine(bytes);
  if (line === undefined) {
    noteUnreadable(chain, bytes, offset);
    return [];
  }
  return "bridge" in line
    ? extendBy(chain, line)
    : extendBy(chain, { record: line, hash: own?.hash ?? sha256(bytes), offset });
}

/** The same for a parsed line. */
export function extendBy(chain: Chain, line: Link | { readonly bridge: Bridge }): readonly Link[] {
  if ("bridge" in line) return crossBreak(chain, line.bridge);
  const { seq, prev } = line.record;
  if (seq === chain.seq + 1 && prev === chain.head) return countLink(chain, line);
  // The predecessor may come later: rewritten after the disk lost the first copy.
  const canWait = seq > chain.seq && !chain.waiting.has(prev) && !isUncounted(chain, prev);
  if (canWait) chain.waiting.set(prev, line);
  else addUncounted(chain, line);
  return [];
}

/** Notes an unreadable line; returns the number of its record if that is still to come. */
export function noteUnreadable(chain: Chain, bytes: Buffer, offset: number): number | undefined {
  const seq = seqOfDamaged(bytes);
  if (seq === undefined || seq <= chain.seq) return undefined;
  chain.unreadable.push({ offset, seq });
  return seq;
}

/** Tells if a line is in the journal but does not count. */
export function isUncounted({ late, forked }: Chain, hash: string): boolean {
  return forked.has(hash) || late.has(hash);
}

/** Sorts a line that does not count: a repeat, a lost race, or a fork. */
function addUncounted(chain: Chain, { record, hash }: Link): void {
  const { late, forked, latest, waiting } = chain;
  if (isCountedOp(chain, record.op) || forked.has(hash)) return;
  if (late.delete(record.prev)) forked.add(record.prev); // a later record follows it, so it was answered
  const first = latest.find(({ prev }) => prev === record.prev)?.writing;
  if (waiting.has(hash)) leaveForked(chain, hash);
  else if (first === undefined || !lostRace(writingOf(record), first)) forked.add(hash);
  else keepLatest(late.add(hash));
}

function keepLatest(late: Set<string>): void {
  const [oldest] = late.size > rememberedOps ? late : [];
  if (oldest !== undefined) late.delete(oldest);
}

/** Finds the first records whose predecessor is lost or changed; undefined if the chain is whole. */
export function findBreak(chain: Chain): Break | undefined {
  let first: Link | undefined;
  for (const link of chain.waiting.values())
    if (canFollow(chain, link) && (first === undefined || link.record.seq < first.record.seq)) first = link;
  return first === undefined ? undefined : breakBefore(chain, first);
}

/** Every remaining break in order; each is crossed before the next. Always ends. */
export function* breaksOf(chain: Chain): Generator<Break> {
  const waiting = [...chain.waiting.values()].sort((a, b) => a.record.seq - b.record.seq);
  for (const link of waiting)
    if (chain.waiting.get(link.record.prev) === link && canFollow(chain, link)) yield breakBefore(chain, link);
}

/** Tells if waiting records can continue the history; an operation that already counts does not count again. */
function canFollow(chain: Chain, { record }: Link): boolean {
  return record.seq > chain.seq && !isCountedOp(chain, record.op);
}

function breakBefore({ head }: Chain, { record, offset }: Link): Break {
  return { offset, seq: record.seq, bridge: { from: head, to: record.prev } };
}

/** Continues at a recorded break, so that every reader continues at the same record. */
function crossBreak(chain: Chain, { from, to }: Bridge): readonly Link[] {
  const link = chain.waiting.get(to);
  if (isUncounted(chain, from)) leaveForked(chain, to);
  if (from !== chain.head || link === undefined || !canFollow(chain, link)) return [];
  chain.seq = link.record.seq - 1;
  return countLink(chain, link);
}

/** A fork that was repaired before it was merged stays one fork. */
function leaveForked({ waiting, forked }: Chain, from: string): void {
  forked.add(from);
  for (let link = waiting.get(from); link !== undefined; link = waiting.get(link.hash)) {
    waiting.delete(link.record.prev);
    forked.add(link.hash);
  }
}

function countLink(chain: Chain, link: Link): readonly Link[] {
  const counted: Link[] = [];
  let next: Link | undefined = link;
  while (next !== undefined && next.record.seq === chain.seq + 1 && !isCountedOp(chain, next.record.op)) {
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

/** An operation is retried soon by its own process or never, so every reader remembers the same ones. */
const rememberedOps = 1000;
/** The most records that may be added between a read and a write. */
const rememberedWritings = 16;

function remember(chain: Chain, op: string): void {
  if (chain.seq % rememberedOps === 0) [chain.earlierOps, chain.ops] = [chain.ops, new Set()];
  chain.ops.add(op);
}

/** Tells if an operation counts, as far as remembered. */
export function isCountedOp(chain: Chain, op: string): boolean {
  return chain.ops.has(op) || chain.earlierOps.has(op);
}

/** The copy and time of a record's write, which tell a lost race from a fork. */
export type Writing = { readonly copy?: string; readonly at: string };

/** The writing of a record; older records, which do not say when, were written when they were decided. */
export function writingOf({ copy, at, events }: JournalRecord): Writing {
  const written = at ?? events[0]?.at ?? "";
  return copy === undefined ? { at: written } : { copy, at: written };
}

/**
 * Tells if a record lost a race to an earlier one with the same predecessor. Its writer then read the other one and decided again: it was
 * never answered, and nothing follows it. Two writes to one file are moments apart, but two git branches have a file each, and both were
 * answered. If unsure, it counts as answered: better to report too much.
 */
export function lostRace(late: Writing, first: Writing): boolean {
  const isElsewhere = late.copy !== undefined && first.copy !== undefined && late.copy !== first.copy;
  return !isElsewhere && Math.abs(Date.parse(late.at) - Date.parse(first.at)) <= moment;
}

/** The time a process under load may take between its read and its write, in milliseconds. */
const moment = 10_000;
