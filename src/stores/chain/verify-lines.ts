import type { AuditedLine, AuditedLog } from "../../engine/ports/event-log.ts";
import { sha256 } from "../../kit/sha256.ts";
import type { Event } from "../../workflow/events.ts";
import { replay } from "../../workflow/replay.ts";
import { emptyStream } from "../../workflow/stream-snapshot.ts";
import { findForked } from "./find-forked.ts";
import { isCanonical } from "./is-canonical.ts";
import { breaksOf, type Chain, emptyChain, extendBy, type Link, noteUnreadable } from "./journal-chain.ts";
import { type JournalRecord, parseLineWithValue } from "./journal-record.ts";
import type { LineSource } from "./line-source.ts";
import { timesIn } from "./record-times.ts";

type LinePosition = { readonly line: number; readonly offset: number };

type CountedPosition = LinePosition & { readonly seq: number };

/** The result of walking the whole chain. */
export type VerifiedLines = Pick<
  AuditedLog,
  "records" | "seq" | "head" | "first" | "hashes" | "lines" | "breaks" | "stream"
> &
  Required<Pick<AuditedLog, "accepted" | "unseen" | "notes">>;

/** Tells if a person is known to have accepted what a hash names; a record alone does not prove it. */
export type Trusts = (hash: string) => boolean;

/**
 * Walks a history from first to last line, trusting only the bytes, and passes every record that counts to `hear` in order. Parses each
 * line once and takes linear time on any input.
 */
export function verifyLines(
  source: LineSource,
  hear: (record: JournalRecord) => void = () => {},
  trusts: Trusts = () => true,
): VerifiedLines {
  const chain = emptyChain();
  const hashes = new Map<number, string>();
  /** The lines that do not count, by offset. */
  const beside = new Map<number, AuditedLine>();
  const uncounted = new Map<number, Link>();
  const breaks: AuditedLog["breaks"][number][] = [];
  const damaged = new Map<number, LinePosition>();
  const accepted = new Set<string>();
  const unseen = new Map<string, number>();
  const time = timesIn(Date.now());
  let torn = 0;
  let last: CountedPosition | undefined;
  let stream = emptyStream;
  let news: Event[] = [];

  function read(bytes: Buffer, offset: number, line: number): void {
    const place = { line, offset };
    const spelled = parseLineWithValue(bytes);
    if (spelled === undefined) {
      readBroken(bytes, place);
      return;
    }
    const hash = sha256(bytes);
    const { line: said, value } = spelled;
    if ("bridge" in said) {
      beside.set(offset, { ...place, hash, kind: "bridge" });
      crossTo(extendBy(chain, said));
      return;
    }
    if (!isCanonical(bytes, value))
      breaks.push({ ...place, seq: said.seq, reason: `record ${said.seq} is not written as canonical JSON` });
    const link = { record: said, hash, offset };
    const counted = extendBy(chain, link);
    if (counted[0] !== link) {
      beside.set(offset, { ...place, hash, kind: "void", record: said });
      uncounted.set(offset, link);
    }
    for (const one of counted) {
      if (one === link) count(one, place);
      else countLate(one);
    }
  }

  function readBroken(bytes: Buffer, place: LinePosition): void {
    const seq = noteUnreadable(chain, bytes, place.offset);
    const kind = isConflictMarker(bytes) ? "marker" : "torn";
    if (kind === "torn" && seq === undefined && ++torn > mostTorn) return;
    const line = { ...place, hash: sha256(bytes) };
    beside.set(place.offset, seq === undefined ? { ...line, kind } : { ...line, kind: "damaged", seq });
    if (seq !== undefined) damaged.set(seq, line);
  }

  function placeOf({ offset }: Link): LinePosition {
    return beside.get(offset) ?? { line: 0, offset };
  }

  /** Records count in chain order, which may be later than file order. */
  function countLate(link: Link): void {
    const place = placeOf(link);
    beside.delete(link.offset);
    uncounted.delete(link.offset);
    count(link, place);
  }

  function count({ record, hash, offset }: Link, place: LinePosition): void {
    const misdated = time.problemOf(record);
    if (misdated !== undefined) breaks.push({ ...place, seq: record.seq, reason: misdated });
    hashes.set(record.seq, hash);
    last = { line: place.line, offset, seq: record.seq };
    for (const event of record.events) {
      news.push(event);
      if (event.type === "accepted") for (const one of event.hashes) hearAccepted(one, record.seq);
    }
    if (news.length >= 256) addUp(); // do not accumulate what was read
    hear(record);
  }

  function hearAccepted(one: string, seq: number): void {
    if (trusts(one)) accepted.add(one);
    else unseen.set(one, seq);
  }

  function addUp(): void {
    stream = replay(news, stream);
    news = [];
  }

  /** Continues the history after a break. */
  function crossTo(counted: readonly Link[]): void {
    const [first] = counted;
    if (first !== undefined) note(first.record.seq, placeOf(first));
    counted.forEach(countLate);
  }

  function note(next: number, after: LinePosition): void {
    const before = last?.seq ?? 0;
    const follower = `record ${next}, line ${after.line},`;
    if (next === before + 1) {
      const { line, offset } = last ?? after;
      const reason =
        before === 0
          ? `${follower} follows a record that is not here`
          : `record ${before} is not the one that ${follower} follows: one of the two was changed`;
      breaks.push({ line, offset, seq: Math.max(before, 1), reason });
      return;
    }
    const { line, offset } = damaged.get(before + 1) ?? after;
    const lost = before + 2 === next ? `record ${before + 1} is` : `records ${before + 1} to ${next - 1} are`;
    const reason = `${lost} missing or unreadable; the next readable one is record ${next} on line ${after.line}`;
    breaks.push({ line, offset, seq: before + 1, reason });
  }

  source(read);
  for (const { bridge } of breaksOf(chain)) crossTo(extendBy(chain, { bridge }));
  addUp();
  noteDamagedEnd(chain);
  for (const offset of findForked(source, [...uncounted.values()])) {
    const line = beside.get(offset);
    if (line?.kind === "void") beside.set(offset, { ...line, kind: accepted.has(line.hash) ? "accepted" : "aside" });
  }
  const { seq, head, first } = chain;
  const inOrder = breaks.toSorted((a, b) => a.offset - b.offset);
  const lines = [...beside.values()];
  const notes = time.notes();
  return { records: hashes.size, seq, head, first, hashes, lines, breaks: inOrder, stream, accepted, unseen, notes };

  /** A damaged last record leaves no gap: nothing followed it, or another took its number. */
  function noteDamagedEnd({ seq: end }: Chain): void {
    const noted = new Set(breaks.map(({ offset }) => offset));
    for (const [number, { line, offset }] of damaged) {
      if (noted.has(offset)) continue;
      const since = number > end ? "" : "; another has taken its number since";
      breaks.push({ line, offset, seq: number, reason: `record ${number} cannot be read${since}` });
    }
  }
}

/** The markers git leaves around a conflict. */
function isConflictMarker(bytes: Buffer): boolean {
  return /^(<{7}|\|{7}|={7}|>{7})( |$)/.test(bytes.toString("latin1", 0, 8));
}

/** The most torn lines that are named; they say nothing, and anyone can add them. */
const mostTorn = 1000;
