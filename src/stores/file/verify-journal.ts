import { closeSync, fstatSync, openSync } from "node:fs";
import { canonical } from "./canonical.ts";
import { type Chain, emptyChain, extend, findBreak } from "./chain.ts";
import { readLines } from "./lines.ts";
import { bridgeLine, type JournalRecord, readLine, sha256 } from "./record.ts";

/** Where a line of a journal stands: its number, counted from 1, and its first byte. */
export type Place = { readonly line: number; readonly offset: number };

/** A line of a journal, and what it comes to. */
export type VerifiedLine = Place & { readonly hash: string } & (
    | { readonly kind: "counts"; readonly record: JournalRecord }
    /** A record that came too late, or was written once more: it never counted, or not again. */
    | { readonly kind: "void"; readonly record: JournalRecord }
    /** Says that the history goes on behind a break. */
    | { readonly kind: "bridge" }
    /** A line that a crash cut off, or that never was a record. */
    | { readonly kind: "torn" }
    | { readonly kind: "damaged"; readonly seq: number }
  );

/** A place where the chain does not hold. `seq` is the record that is lost, damaged or changed. */
export type ChainBreak = Place & { readonly seq: number; readonly reason: string };

/** What a walk along the whole chain found. */
export type VerifiedJournal = {
  readonly records: number;
  /** The number of the last record that counts. */
  readonly seq: number;
  /** The hash of the last record that counts; `first` is that of the first and names the journal. */
  readonly head: string;
  readonly first: string | null;
  readonly lines: readonly VerifiedLine[];
  /** Every place where the chain does not hold, in order. */
  readonly breaks: readonly ChainBreak[];
  /** The bytes after the last end of line: a record that is being written, or was torn off. */
  readonly unfinished: number;
};

/** Walks a journal from its first byte to its last, believing nothing but the bytes. Throws where the file cannot be read. */
export function verifyJournal(file: string): VerifiedJournal {
  const chain = emptyChain();
  const lines: VerifiedLine[] = [];
  const breaks: ChainBreak[] = [];
  const counted = new Map<number, number>();
  const damaged = new Map<number, Place>();
  const placed = new Map<number, Place>();

  function read(bytes: Buffer, offset: number, line: number): void {
    const before = chain.seq;
    const broken = findBreak(chain);
    const hash = sha256(bytes);
    const place = { line, offset, hash };
    const parsed = readLine(bytes);
    const records = extend(chain, bytes, offset);
    const text = bytes.toString("utf8");
    if (parsed === undefined) {
      const seq = chain.unreadable.at(-1)?.offset === offset ? chain.unreadable.at(-1)?.seq : undefined;
      lines.push(seq === undefined ? { ...place, kind: "torn" } : { ...place, kind: "damaged", seq });
      if (seq !== undefined) damaged.set(seq, place);
    } else if ("bridge" in parsed) {
      lines.push({ ...place, kind: "bridge" });
      if (records.length > 0 && broken !== undefined) note(before, broken.seq, broken.offset);
    } else {
      placed.set(offset, place);
      lines.push({ ...place, kind: "void", record: parsed });
      if (canonical(JSON.parse(text)) !== text)
        breaks.push({ ...place, seq: parsed.seq, reason: `record ${parsed.seq} is not written as canonical JSON` });
    }
    mark(records);
  }

  /** Records count when their turn comes, which may be later than where they stand. */
  function mark(records: readonly JournalRecord[]): void {
    for (const { op, seq } of records) {
      const at = lines.findLastIndex(
        (line) => line.kind === "void" && line.record.op === op && line.record.seq === seq,
      );
      const line = lines[at];
      if (line?.kind !== "void") continue;
      lines[at] = { ...line, kind: "counts" };
      counted.set(seq, at);
    }
  }

  function note(before: number, next: number, offset: number): void {
    const after = placed.get(offset) ?? { line: 0, offset };
    const follower = `record ${next}, line ${after.line},`;
    if (next === before + 1) {
      const { line, offset: at } = lines[counted.get(before) ?? -1] ?? after;
      const reason =
        before === 0
          ? `${follower} follows nothing that stands here`
          : `record ${before} is not the one that ${follower} follows: one of the two was changed`;
      breaks.push({ line, offset: at, seq: Math.max(before, 1), reason });
      return;
    }
    const { line, offset: at } = damaged.get(before + 1) ?? after;
    const lost = before + 2 === next ? `record ${before + 1}` : `records ${before + 1} to ${next - 1}`;
    breaks.push({
      line,
      offset: at,
      seq: before + 1,
      reason: `${lost} cannot be read; ${follower} is the next that can`,
    });
  }

  const fd = openSync(file, "r");
  try {
    const size = fstatSync(fd).size;
    const end = readLines(fd, 0, size, read);
    for (let broken = findBreak(chain); broken !== undefined; broken = findBreak(chain)) {
      const before = chain.seq;
      mark(extend(chain, Buffer.from(bridgeLine(broken.bridge, "verify"))));
      note(before, broken.seq, broken.offset);
    }
    noteDamagedEnd(chain);
    const ordered = breaks.toSorted((a, b) => a.offset - b.offset);
    return {
      records: counted.size,
      seq: chain.seq,
      head: chain.head,
      first: chain.first,
      lines,
      breaks: ordered,
      unfinished: size - end,
    };
  } finally {
    closeSync(fd);
  }

  /** A record that was damaged at the end leaves no gap: nothing followed it, or another took its number. */
  function noteDamagedEnd({ seq: last }: Chain): void {
    for (const [seq, { line, offset }] of damaged) {
      if (breaks.some((one) => one.offset === offset)) continue;
      const since = seq > last ? "" : "; another has taken its number since";
      breaks.push({ line, offset, seq, reason: `record ${seq} cannot be read${since}` });
    }
  }
}
