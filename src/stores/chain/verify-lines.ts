import type { AuditedLine, AuditedLog } from "../../engine/ports.ts";
import { sha256 } from "../../evidence/sha256.ts";
import { emptyDesk } from "../../workflow/desk.ts";
import type { Event } from "../../workflow/events.ts";
import { replay } from "../../workflow/replay.ts";
import { breaksOf, type Chain, emptyChain, extendBy, type Link, noteDamaged } from "./chain.ts";
import { isCanonical } from "./is-canonical.ts";
import { type JournalRecord, readSpelled } from "./record.ts";
import { findSetAside } from "./set-aside.ts";

type Place = { readonly line: number; readonly offset: number };
type Counted = Place & { readonly seq: number };

/** What a walk along the whole chain found. */
export type VerifiedLines = Pick<
  AuditedLog,
  "records" | "seq" | "head" | "first" | "hashes" | "lines" | "breaks" | "desk"
> &
  Required<Pick<AuditedLog, "accepted" | "unseen">>;

/** Whether a person is known to have accepted what a hash names; a record alone proves nothing of it. */
export type Believes = (hash: string) => boolean;

/** Hands on every line: its bytes, where it begins, and its number, counted from 1. May be asked to do so twice. */
export type LineSource = (line: (bytes: Buffer, offset: number, number: number) => void) => void;

/**
 * Walks the lines of a history from the first to the last, believing nothing but the bytes; `hear` is told of every record
 * that counts, in their order. It takes each line apart once, and ends in a time that grows with the lines, whatever they say.
 */
export function verifyLines(
  source: LineSource,
  hear: (record: JournalRecord) => void = () => {},
  believes: Believes = () => true,
): VerifiedLines {
  const chain = emptyChain();
  const hashes = new Map<number, string>();
  /** The lines that are no record that counts, by where they begin. */
  const beside = new Map<number, AuditedLine>();
  const uncounted = new Map<number, Link>();
  const breaks: AuditedLog["breaks"][number][] = [];
  const damaged = new Map<number, Place>();
  const accepted = new Set<string>();
  const unseen = new Map<string, number>();
  let torn = 0;
  let last: Counted | undefined;
  let desk = emptyDesk;
  let news: Event[] = [];

  function read(bytes: Buffer, offset: number, line: number): void {
    const place = { line, offset };
    const spelled = readSpelled(bytes);
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

  function readBroken(bytes: Buffer, place: Place): void {
    const seq = noteDamaged(chain, bytes, place.offset);
    const kind = isConflictMarker(bytes) ? "marker" : "torn";
    if (kind === "torn" && seq === undefined && ++torn > mostTorn) return;
    const line = { ...place, hash: sha256(bytes) };
    beside.set(place.offset, seq === undefined ? { ...line, kind } : { ...line, kind: "damaged", seq });
    if (seq !== undefined) damaged.set(seq, line);
  }

  function placeOf({ offset }: Link): Place {
    return beside.get(offset) ?? { line: 0, offset };
  }

  /** Records count when their turn comes, which may be later than where they stand. */
  function countLate(link: Link): void {
    const place = placeOf(link);
    beside.delete(link.offset);
    uncounted.delete(link.offset);
    count(link, place);
  }

  function count({ record, hash, offset }: Link, place: Place): void {
    hashes.set(record.seq, hash);
    last = { line: place.line, offset, seq: record.seq };
    for (const event of record.events) {
      news.push(event);
      if (event.type === "accepted") for (const one of event.hashes) hearAccepted(one, record.seq);
    }
    if (news.length >= 256) addUp(); // what is read should not pile up
    hear(record);
  }

  function hearAccepted(one: string, seq: number): void {
    if (believes(one)) accepted.add(one);
    else unseen.set(one, seq);
  }

  function addUp(): void {
    desk = replay(news, desk);
    news = [];
  }

  /** The history goes on behind a break. */
  function crossTo(counted: readonly Link[]): void {
    const [first] = counted;
    if (first !== undefined) note(first.record.seq, placeOf(first));
    counted.forEach(countLate);
  }

  function note(next: number, after: Place): void {
    const before = last?.seq ?? 0;
    const follower = `record ${next}, line ${after.line},`;
    if (next === before + 1) {
      const { line, offset } = last ?? after;
      const reason =
        before === 0
          ? `${follower} follows nothing that stands here`
          : `record ${before} is not the one that ${follower} follows: one of the two was changed`;
      breaks.push({ line, offset, seq: Math.max(before, 1), reason });
      return;
    }
    const { line, offset } = damaged.get(before + 1) ?? after;
    const lost = before + 2 === next ? `record ${before + 1}` : `records ${before + 1} to ${next - 1}`;
    const reason = `${lost} cannot be read; ${follower} is the next that can`;
    breaks.push({ line, offset, seq: before + 1, reason });
  }

  source(read);
  for (const { bridge } of breaksOf(chain)) crossTo(extendBy(chain, { bridge }));
  addUp();
  noteDamagedEnd(chain);
  for (const offset of findSetAside(source, [...uncounted.values()])) {
    const line = beside.get(offset);
    if (line?.kind === "void") beside.set(offset, { ...line, kind: accepted.has(line.hash) ? "accepted" : "aside" });
  }
  const { seq, head, first } = chain;
  const inOrder = breaks.toSorted((a, b) => a.offset - b.offset);
  const lines = [...beside.values()];
  return { records: hashes.size, seq, head, first, hashes, lines, breaks: inOrder, desk, accepted, unseen };

  /** A record that was damaged at the end leaves no gap: nothing followed it, or another took its number. */
  function noteDamagedEnd({ seq: end }: Chain): void {
    const noted = new Set(breaks.map(({ offset }) => offset));
    for (const [number, { line, offset }] of damaged) {
      if (noted.has(offset)) continue;
      const since = number > end ? "" : "; another has taken its number since";
      breaks.push({ line, offset, seq: number, reason: `record ${number} cannot be read${since}` });
    }
  }
}

/** What git leaves around the sides of a conflict. */
function isConflictMarker(bytes: Buffer): boolean {
  return /^(<{7}|\|{7}|={7}|>{7})( |$)/.test(bytes.toString("latin1", 0, 8));
}

/** So many lines that never were a record are named: they say nothing, and there is no end to them where somebody adds them. */
const mostTorn = 1000;
