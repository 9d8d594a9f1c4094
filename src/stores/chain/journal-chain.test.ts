import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startedExample } from "../../testing/index.ts";
import { openWindow } from "../file/window.testing.ts";
import { emptyChain, extend } from "./journal-chain.ts";
import { genesisHash, type JournalLine, toLine } from "./journal-record.ts";

function openArea() {
  const projectArea = mkdtempSync(join(tmpdir(), "waymark-journal-"));
  const opened: { close(): void }[] = [];
  onTestFinished(() => {
    for (const history of opened) history.close();
    rmSync(projectArea, { recursive: true });
  });
  return {
    journal: join(projectArea, ".waymark/journal/story_bot.jsonl"),
    open() {
      const history = openWindow(projectArea);
      opened.push(history);
      return history;
    },
  };
}

function lineAfter(before: JournalLine | null, number: number, op = `op ${number}`): JournalLine {
  const { seq, prev } = before === null ? { seq: 0, prev: genesisHash } : { seq: before.record.seq, prev: before.hash };
  return toLine({ seq: seq + 1, prev, op, events: [startedExample(number)] });
}

function readAll(...lines: readonly string[]): readonly string[] {
  const chain = emptyChain();
  return lines.flatMap((line) => extend(chain, Buffer.from(line)).map(({ record }) => record.op));
}

const first = lineAfter(null, 1);
const second = lineAfter(first, 2);
const third = lineAfter(second, 3);

it("the first line that extends the chain wins, and the others are void for every reader", () => {
  const rival = lineAfter(first, 9);
  const onRival = lineAfter(rival, 10);
  expect(readAll(first.text, second.text, rival.text, onRival.text, third.text)).toEqual(["op 1", "op 2", "op 3"]);
});

it.each(["", "junk", "{}", "null", '"{"', '{"seq":2,"prev":"x","op":"y"}', '{"seq":2'])(
  "a line of %j is skipped",
  (junk) => {
    expect(readAll(first.text, junk, second.text)).toEqual(["op 1", "op 2"]);
  },
);

it("a line with an event that cannot be added up is no record", () => {
  const { seq, prev, op } = second.record;
  const broken = JSON.stringify({ seq, prev, op, events: [{ type: "adopted", at: "", by: "", workflow: "shape" }] });
  expect(readAll(first.text, broken, second.text)).toEqual(["op 1", "op 2"]);
});

it("an event that only a newer Waymark knows keeps its place in the chain", () => {
  const { seq, prev } = second.record;
  const text = JSON.stringify({ seq, prev, op: "newer", events: [{ type: "prophesied" }, startedExample(2)] });
  const chain = emptyChain();
  extend(chain, Buffer.from(first.text));
  expect(extend(chain, Buffer.from(text))).toMatchObject([{ record: { op: "newer", events: [startedExample(2)] } }]);
});

it("the same operation counts once, wherever it is written again", () => {
  const again = lineAfter(second, 1, "op 1");
  expect(readAll(first.text, second.text, first.text, again.text, third.text)).toEqual(["op 1", "op 2", "op 3"]);
});

it("a record that the disk lost and its writer wrote again further on holds up those that follow it", () => {
  expect(readAll(first.text, "\0\0\0", third.text, second.text)).toEqual(["op 1", "op 2", "op 3"]);
});

it("a line that was torn off is never cut off, and the next record stands on its own line", async () => {
  const { journal, open } = openArea();
  await open().append(0, [startedExample(1)]);
  const torn = '{"seq":2,"prev":"';
  appendFileSync(journal, torn);
  const history = open();
  expect((await history.look()).seen).toBe(1);
  expect((await history.append(1, [startedExample(2)])).status).toBe("recorded");
  expect(readFileSync(journal, "utf8").split("\n")[1]).toBe(torn);
  expect(await open().events()).toEqual([startedExample(1), startedExample(2)]);
});

it("a record that lacks only its end of line counts once somebody writes after it", async () => {
  const { journal, open } = openArea();
  const history = open();
  await history.append(0, [startedExample(1)]);
  truncateSync(journal, readFileSync(journal).length - 1);
  const late = open();
  expect((await late.look()).seen).toBe(0);
  expect((await late.append(0, [startedExample(2)])).status).toBe("behind");
  expect(await late.events()).toEqual([startedExample(1)]);
});

it("a line glued to one that was torn off at that very moment is written again", async () => {
  const { journal, open } = openArea();
  const history = open();
  await history.append(0, [startedExample(1)]);
  const glued = readFileSync(journal, "utf8");
  writeFileSync(journal, `{"torn${glued}`); // same inode: what a reader finds when it looks for its own line
  expect(await open().events()).toEqual([]);
  const other = open();
  expect((await other.append(0, [startedExample(2)])).status).toBe("recorded");
});

it("a journal that was cut short or replaced is read anew", async () => {
  const { journal, open } = openArea();
  const history = open();
  await history.append(0, [startedExample(1)]);
  const one = readFileSync(journal);
  await history.append(1, [startedExample(2)]);
  truncateSync(journal, one.length);
  expect((await history.look()).seen).toBe(1);
  rmSync(journal);
  writeFileSync(journal, `${first.text}\n${second.text}\n`);
  expect((await history.look()).seen).toBe(2);
  expect(await history.events()).toEqual([startedExample(1), startedExample(2)]);
});

it("a record longer than what is read at a time is read whole", async () => {
  const { open } = openArea();
  const long = { ...startedExample(1), inputs: { long: "é".repeat(3_000_000) } };
  const history = open();
  await history.append(0, [long]);
  await history.append(1, [startedExample(2)]);
  expect(await open().events()).toEqual([long, startedExample(2)]);
});
