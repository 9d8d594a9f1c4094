import type { AuditedLine, AuditedLog } from "../../engine/ports.ts";
import { canonical } from "../../evidence/json.ts";
import { type Chain, emptyChain, extend, findBreak, type Link } from "./chain.ts";
import { bridgeLine, readLine, sha256 } from "./record.ts";
import { findSetAside } from "./set-aside.ts";

type Place = { readonly line: number; readonly offset: number };

/** What a walk along the whole chain found. */
export type VerifiedLines = Pick<AuditedLog, "records" | "seq" | "head" | "first" | "lines" | "breaks">;

/** Hands on every line: its bytes, where it begins, and its number, counted from 1. */
export type LineSource = (line: (bytes: Buffer, offset: number, number: number) => void) => void;

/** Walks the lines of a history from the first to the last, believing nothing but the bytes. */
export function verifyLines(source: LineSource): VerifiedLines {
  const chain = emptyChain();
  const lines: AuditedLine[] = [];
  const at = new Map<number, number>();
  const breaks: AuditedLog["breaks"][number][] = [];
  const counted = new Map<number, number>();
  const damaged = new Map<number, Place>();
  const placed = new Map<number, Place>();
  const links: Link[] = [];

  function read(bytes: Buffer, offset: number, line: number): void {
    const before = chain.seq;
    const hash = sha256(bytes);
    const place = { line, offset, hash };
    const parsed = readLine(bytes);
    const broken = parsed !== undefined && "bridge" in parsed ? findBreak(chain) : undefined;
    const records = extend(chain, bytes, offset);
    const text = bytes.toString("utf8");
    if (parsed === undefined) {
      const seq = chain.unreadable.at(-1)?.offset === offset ? chain.unreadable.at(-1)?.seq : undefined;
      const kind = isConflictMarker(bytes) ? "marker" : "torn";
      lines.push(seq === undefined ? { ...place, kind } : { ...place, kind: "damaged", seq });
      if (seq !== undefined) damaged.set(seq, place);
    } else if ("bridge" in parsed) {
      lines.push({ ...place, kind: "bridge" });
      if (records.length > 0 && broken !== undefined) note(before, broken.seq, broken.offset);
    } else {
      placed.set(offset, place);
      at.set(offset, lines.length);
      lines.push({ ...place, kind: "void", record: parsed });
      links.push({ record: parsed, hash, offset });
      if (canonical(JSON.parse(text)) !== text)
        breaks.push({ ...place, seq: parsed.seq, reason: `record ${parsed.seq} is not written as canonical JSON` });
    }
    mark(records);
  }

  function lineAt(offset: number): AuditedLine | undefined {
    return lines[at.get(offset) ?? -1];
  }

  /** Records count when their turn comes, which may be later than where they stand. */
  function mark(links: readonly Link[]): void {
    for (const { offset, record } of links) {
      const index = at.get(offset) ?? -1;
      const line = lines[index];
      if (line?.kind !== "void") continue;
      lines[index] = { ...line, kind: "counts" };
      counted.set(record.seq, index);
    }
  }

  function note(before: number, next: number, offset: number): void {
    const after = placed.get(offset) ?? { line: 0, offset };
    const follower = `record ${next}, line ${after.line},`;
    if (next === before + 1) {
      const { line, offset: begins } = lines[counted.get(before) ?? -1] ?? after;
      const reason =
        before === 0
          ? `${follower} follows nothing that stands here`
          : `record ${before} is not the one that ${follower} follows: one of the two was changed`;
      breaks.push({ line, offset: begins, seq: Math.max(before, 1), reason });
      return;
    }
    const { line, offset: begins } = damaged.get(before + 1) ?? after;
    const lost = before + 2 === next ? `record ${before + 1}` : `records ${before + 1} to ${next - 1}`;
    breaks.push({
      line,
      offset: begins,
      seq: before + 1,
      reason: `${lost} cannot be read; ${follower} is the next that can`,
    });
  }

  source(read);
  for (let broken = findBreak(chain); broken !== undefined; broken = findBreak(chain)) {
    const before = chain.seq;
    mark(extend(chain, Buffer.from(bridgeLine(broken.bridge, "verify"))));
    note(before, broken.seq, broken.offset);
  }
  noteDamagedEnd(chain);
  for (const { offset } of findSetAside(links, ({ offset: begins }) => lineAt(begins)?.kind === "counts")) {
    const line = lineAt(offset);
    if (line?.kind === "void") lines[at.get(offset) ?? -1] = { ...line, kind: "aside" };
  }
  const { seq, head, first } = chain;
  return { records: counted.size, seq, head, first, lines, breaks: breaks.toSorted((a, b) => a.offset - b.offset) };

  /** A record that was damaged at the end leaves no gap: nothing followed it, or another took its number. */
  function noteDamagedEnd({ seq: last }: Chain): void {
    for (const [seq, { line, offset }] of damaged) {
      if (breaks.some((one) => one.offset === offset)) continue;
      const since = seq > last ? "" : "; another has taken its number since";
      breaks.push({ line, offset, seq, reason: `record ${seq} cannot be read${since}` });
    }
  }
}

/** What git leaves around the sides of a conflict. */
function isConflictMarker(bytes: Buffer): boolean {
  return /^(<{7}|\|{7}|={7}|>{7})( |$)/.test(bytes.toString("latin1", 0, 8));
}
