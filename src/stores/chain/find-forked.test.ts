import { expect, it } from "vitest";
import { startedExample } from "../../testing/index.ts";
import { emptyChain, extend, findBreak } from "./journal-chain.ts";
import { bridgeLine, genesisHash, type JournalLine, type JournalRecord, toLine } from "./journal-record.ts";
import { verifyLines } from "./verify-lines.ts";

/** A record that follows another; `more` says to which copy it was written, and when. */
function after(before: JournalLine | null, op: string, more: Partial<JournalRecord> = {}): JournalLine {
  const { seq, prev } = before === null ? { seq: 0, prev: genesisHash } : { seq: before.record.seq, prev: before.hash };
  return toLine({ seq: seq + 1, prev, op, events: [startedExample(seq)], ...more });
}

/** So many records after another, all on one branch. */
function side(base: JournalLine | null, branch: string, count: number): readonly JournalLine[] {
  const lines: JournalLine[] = [];
  for (let number = 1; number <= count; number++)
    lines.push(after(lines.at(-1) ?? base, `${branch}${number}`, { copy: branch, at: noon }));
  return lines;
}

const noon = "2026-01-01T12:00:00.000Z";
const later = (seconds: number): string => new Date(Date.parse(noon) + seconds * 1000).toISOString();

/** What becomes of each line: the operations that count, and what the others are. */
function audit(...lines: readonly (JournalLine | string)[]) {
  const texts = lines.map((line) => (typeof line === "string" ? line : line.text));
  const counts: string[] = [];
  const { breaks, lines: found } = verifyLines(
    (line) => {
      let offset = 0;
      for (const [index, text] of texts.entries()) {
        line(Buffer.from(text), offset, index + 1);
        offset += text.length + 1;
      }
    },
    ({ op }) => counts.push(op),
  );
  const opsOf = (kind: string): string[] =>
    found.flatMap((line) => (line.kind === kind && "record" in line ? [line.record.op] : []));
  return {
    counts,
    aside: opsOf("aside"),
    void: opsOf("void"),
    breaks,
    kinds: found.map((l) => l.kind),
  };
}

/** What every reader believes while it reads: what counts, and whether it sees a break. */
function read(...lines: readonly (JournalLine | string)[]) {
  const chain = emptyChain();
  const counts = lines.flatMap((line) =>
    extend(chain, Buffer.from(typeof line === "string" ? line : line.text)).map(({ record }) => record.op),
  );
  return { counts, broken: findBreak(chain), chain };
}

const base = side(null, "p", 2);
const last = base[1] ?? null;
const [ours, theirs] = [side(last, "a", 2), side(last, "b", 5)];

it("of two sides the one that stands first counts, and every record of the other is set aside", () => {
  expect(audit(...base, ...ours, ...theirs)).toMatchObject({
    counts: ["p1", "p2", "a1", "a2"],
    aside: ["b1", "b2", "b3", "b4", "b5"],
    breaks: [],
  });
  expect(audit(...base, ...theirs, ...ours)).toMatchObject({ aside: ["a1", "a2"], breaks: [] });
});

it("the longer side that does not count is no gap in the one that does, and what is written next goes on from it", () => {
  const next = after(ours[1] ?? null, "a3", { copy: "c", at: later(60) });
  const { counts, broken } = read(...base, ...ours, ...theirs, next);
  expect([counts, broken]).toEqual([["p1", "p2", "a1", "a2", "a3"], undefined]);
});

it("lines of both sides may stand in any order", () => {
  const [a1, a2] = ours;
  const [b1, b2, b3, b4, b5] = theirs;
  for (const mixed of [
    [a1, b1, b2, a2, b3, b4, b5],
    [a1, b5, b4, b3, b2, b1, a2],
    [b3, a1, b1, a2, b2, b5, b4],
  ]) {
    const found = [...base, ...mixed.flatMap((line) => line ?? [])];
    expect(read(...found)).toMatchObject({ counts: ["p1", "p2", "a1", "a2"], broken: undefined });
    expect(audit(...found).aside.toSorted()).toEqual(["b1", "b2", "b3", "b4", "b5"]);
  }
});

it("what git leaves around a conflict is no record", () => {
  const found = audit(...base, "<<<<<<< HEAD", ...ours, "||||||| 0a1b2c3", "=======", ...theirs, ">>>>>>> feature");
  expect(found).toMatchObject({ counts: ["p1", "p2", "a1", "a2"], aside: ["b1", "b2", "b3", "b4", "b5"], breaks: [] });
  expect(found.kinds.filter((kind) => kind === "marker")).toHaveLength(4);
});

it("the same line twice is one record", () => {
  expect(audit(...base, ...ours, ...base, ...theirs, ...ours, ...theirs)).toMatchObject({
    counts: ["p1", "p2", "a1", "a2"],
    aside: ["b1", "b2", "b3", "b4", "b5"],
    void: ["p1", "p2", "a1", "a2", "b1", "b2", "b3", "b4", "b5"],
  });
});

it("both sides may have begun by themselves, and there may be three", () => {
  const found = audit(...side(null, "a", 1), ...side(null, "b", 2), ...side(null, "c", 3));
  expect(found).toMatchObject({ counts: ["a1"], aside: ["b1", "b2", "c1", "c2", "c3"], breaks: [] });
});

it("a side that goes on after it was set aside stays there", () => {
  const next = after(ours[1] ?? null, "a3", { copy: "merged", at: later(60) });
  const theirNext = after(theirs[4] ?? null, "b6", { copy: "b", at: later(90) });
  const found = [...base, ...ours, ...theirs, next, theirNext];
  expect(audit(...found)).toMatchObject({ aside: ["b1", "b2", "b3", "b4", "b5", "b6"], breaks: [] });
  expect(read(...found)).toMatchObject({ counts: ["p1", "p2", "a1", "a2", "a3"], broken: undefined });
});

it("a side whose damage was mended before it was merged is set aside whole", () => {
  const [b1, b2, b3, b4, b5] = theirs;
  if (!b1 || !b2 || !b3 || !b4 || !b5) throw new Error("five are there");
  const mended = [b1, '{"torn', b3, b4, bridgeLine({ from: b1.hash, to: b2.hash }, "bridge"), b5];
  expect(read(...base, ...ours, ...mended)).toMatchObject({ counts: ["p1", "p2", "a1", "a2"], broken: undefined });
  expect(audit(...base, ...ours, ...mended)).toMatchObject({ aside: ["b1", "b3", "b4", "b5"], breaks: [] });
});

it.each([
  ["in the same copy, moments later, lost a race", { copy: "a", at: later(2) }, false],
  ["in another copy is of another side", { copy: "b", at: later(2) }, true],
  ["in the same copy long after was answered", { copy: "a", at: later(3600) }, true],
  ["that does not say in which copy, moments later, lost a race", { at: later(2) }, false],
  ["that does not say in which copy, long after, was answered", { at: later(3600) }, true],
] as const)("a single record %s", (_, writing, isForked) => {
  const rival = after(last, "rival", writing);
  const found = audit(...base, ...ours, rival);
  expect([found.aside, found.void]).toEqual(isForked ? [["rival"], []] : [[], ["rival"]]);
  const { chain } = read(...base, ...ours, rival);
  expect([chain.forked.has(rival.hash), chain.late.has(rival.hash)]).toEqual([isForked, !isForked]);
});

it("a record of before, which says nothing of its writing, is judged by when it happened", () => {
  const first = toLine({ seq: 3, prev: last?.hash ?? "", op: "first", events: [startedExample(1)] });
  const rivalOf = (seconds: number): JournalLine =>
    toLine({ seq: 3, prev: last?.hash ?? "", op: "rival", events: [startedExample(1 + seconds)] });
  expect(audit(...base, first, rivalOf(1))).toMatchObject({ aside: [], void: ["rival"] });
  expect(audit(...base, first, rivalOf(600))).toMatchObject({ aside: ["rival"], void: [] });
});

it("what another record follows was believed, whenever it was written", () => {
  const rival = after(last, "rival", { copy: "a", at: later(1) });
  const follower = after(rival, "follower", { copy: "a", at: later(2) });
  expect(audit(...base, ...ours, rival, follower).aside).toEqual(["rival", "follower"]);
  expect(read(...base, ours[0] ?? "", rival, follower)).toMatchObject({
    counts: ["p1", "p2", "a1"],
    broken: undefined,
  });
});

it("one that lost a race on the side that does not count was never answered there either", () => {
  const [b1] = theirs;
  const rival = after(b1 ?? null, "rival", { copy: "b", at: later(1) });
  expect(audit(...base, ...ours, ...theirs.slice(0, 2), rival, ...theirs.slice(2))).toMatchObject({
    aside: ["b1", "b2", "b3", "b4", "b5"],
    void: ["rival"],
  });
});

it("an operation that says something else than the one that counts is not the same one", () => {
  const again = after(ours[1] ?? null, "a1", { copy: "a", at: noon, events: [startedExample(99)] });
  expect(audit(...base, ...ours, again)).toMatchObject({ aside: ["a1"] });
});

it("a file of nothing but rivals is judged in no time", () => {
  const rivals = Array.from({ length: 20_000 }, (_, number) =>
    after(last, `r${number}`, { copy: `${number}`, at: noon }),
  );
  expect(audit(...base, ...rivals).aside).toHaveLength(19_999);
});

/** Lines that follow nothing that stands here: each names a record that nobody has. */
function loose(count: number, op: (number: number) => string): readonly JournalLine[] {
  return Array.from({ length: count }, (_, number) =>
    toLine({ seq: 10 + 2 * number, prev: `${number}`.padStart(64, "f"), op: op(number), events: [startedExample(1)] }),
  );
}

// Attack (file tools): Add records that chain on each other or reuse an operation's id, to make `verify` run for ever
// -> `verify` ends, and names them
it("records that use an operation's name again and follow each other end no reader's work", () => {
  const again = toLine({ seq: 9, prev: "f".repeat(64), op: "p1", events: [startedExample(8)] });
  const follower = after(again, "p2");
  const next = after(follower, "new");
  const found = audit(...base, again, follower, next);
  expect(found.counts).toEqual(["p1", "p2", "new"]);
  expect(found.aside).toEqual(["p1", "p2"]);
  expect(found.breaks).toHaveLength(1);
});

it("thousands of gaps are all found, in a time that grows with the file", () => {
  const found = audit(...base, ...loose(5_000, (number) => `op ${number}`));
  expect([found.counts.length, found.breaks.length]).toEqual([5_002, 5_000]);
  const same = audit(...base, ...loose(5_000, () => "p1"));
  expect([same.counts.length, same.aside.length]).toEqual([2, 5_000]);
});

it("bridges to nowhere cost nothing, however many there are and however much waits", () => {
  const bridges = Array.from({ length: 5_000 }, (_, number) =>
    bridgeLine({ from: last?.hash ?? "", to: `${number}` }, `b${number}`),
  );
  const found = audit(...base, ...loose(5_000, (number) => `op ${number}`), ...bridges);
  expect(found.breaks).toHaveLength(5_000);
});

it("a line nested without end is no record, and no reader falls over it", () => {
  const deep = `{"events":[${"[".repeat(100_000)}${"]".repeat(100_000)}],"op":"deep","prev":"${last?.hash}","seq":3}`;
  expect(audit(...base, deep)).toMatchObject({ counts: ["p1", "p2"], kinds: ["damaged"] });
});
