import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { fileStore } from "../stores/file/file-store.ts";
import { memoryStore } from "../stores/memory/memory-store.ts";
import type { Store } from "../stores/store.ts";
import { begunExample, completedExample, startedExample } from "../testing/index.ts";
import { sessionsOf } from "../workflow/session-id.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import { auditStreams, countedEvents, listProblems, signStreams } from "./audit-streams.ts";
import { newHeadKeys } from "./verify-heads.ts";

const bot: StreamId = { kind: "bot", name: "story_bot" };
const session: StreamId = {
  kind: "session",
  name: sessionsOf({ type: "discovery", target: null, options: {} }, []).next,
};

async function fill({ log, views }: Store): Promise<void> {
  for (const [id, first] of [
    [bot, [startedExample(1)]],
    [session, begunExample()],
  ] as const) {
    await log.append(id, 0, first, { onFault: "refuse" });
    await log.append(id, 1, [completedExample(1)], { onFault: "refuse" });
    await views.publish(id);
  }
}

async function openArea() {
  const area = mkdtempSync(join(tmpdir(), "waymark-audit-"));
  const store = fileStore(area, { clock: () => new Date() });
  onTestFinished(() => {
    store.close();
    rmSync(area, { recursive: true });
  });
  await fill(store);
  const journal = join(area, ".waymark/journal/story_bot.jsonl");
  return { ...store, area, journal, own: join(area, ".waymark") };
}

it.each(["files", "memory"])("every history in %s is read again, with what it adds up to", async (where) => {
  const store = where === "files" ? await openArea() : memoryStore();
  if (where === "memory") await fill(store);
  const { streams, missing } = await auditStreams([{ area: "here", ...store }], []);
  expect(missing).toEqual([]);
  const found = streams.map(async (stream) => [
    stream.kind,
    stream.journal.records,
    (await countedEvents(stream)).length,
  ]);
  expect(await Promise.all(found)).toEqual([
    ["bot", 2, 2],
    ["session", 2, 3],
  ]);
  expect(streams.map(({ stream }) => stream.completedCount)).toEqual([1, 1]);
  expect(streams.flatMap(listProblems)).toEqual([]);
});

it("a signed head holds as long as the history up to it is the one that was signed", async () => {
  const { heads, journal, ...store } = await openArea();
  const { privateKey, publicKey } = newHeadKeys();
  const area = { heads, ...store };
  const { streams } = await auditStreams([area], []);
  const signed = await signStreams(streams, privateKey, new Date(0));
  expect(signed).toHaveLength(2);
  const verdicts = async (keys: readonly string[]) =>
    (await auditStreams([area], keys)).streams.map((stream) => stream.heads.map(({ verdict }) => verdict));
  expect(await verdicts([publicKey])).toEqual([["holds"], ["holds"]]);
  expect(await verdicts([])).toEqual([["unknown key"], ["unknown key"]]);
  expect(await verdicts([newHeadKeys().publicKey])).toEqual([["unknown key"], ["unknown key"]]);
  if (signed[0] !== undefined) await heads.keep(bot, { ...signed[0], seq: 1 });
  expect((await verdicts([publicKey]))[0]).toEqual(["holds", "bad signature"]);
  writeFileSync(journal, readFileSync(journal, "utf8").replace("go on", "go no"));
  const [changed] = (await auditStreams([area], [publicKey])).streams;
  expect(changed?.journal.breaks).toEqual([]); // the last record can be changed without a trace in the chain
  expect(changed?.heads[0]?.verdict).toBe("other history");
  expect((changed && listProblems(changed))?.join()).toMatch(
    /the head signed on 1970-01-01 belongs to another history/,
  );
});

it("a history without a head that was signed with a key that was given is doubted", async () => {
  const area = await openArea();
  const { streams } = await auditStreams([area], [newHeadKeys().publicKey]);
  expect(streams.map(({ doubts }) => doubts)).toEqual(Array(2).fill(["none of its heads was signed with a given key"]));
});

it("heads that cannot be read are doubts", async () => {
  const { heads, own, ...area } = await openArea();
  const { privateKey } = newHeadKeys();
  const all = { heads, ...area };
  await signStreams((await auditStreams([all], [])).streams, privateKey, new Date(0));
  appendFileSync(join(own, "heads", "story_bot.jsonl"), "{ half\n");
  const [stream] = (await auditStreams([all], [])).streams;
  expect(stream?.doubts).toEqual(["1 signed head cannot be read"]);
});

it("what left a trace and has no history is missing: a published file, a session's file, a signed head", async () => {
  const { heads, own, journal, ...area } = await openArea();
  const all = { heads, ...area };
  await signStreams((await auditStreams([all], [])).streams, newHeadKeys().privateKey, new Date(0));
  rmSync(journal);
  rmSync(join(own, "journal/sessions"), { recursive: true });
  const gone = [
    { id: { kind: "bot", name: "story_bot" }, problem: "story_bot: its history is gone" },
    { id: session, problem: `session ${session.name}: its history is gone` },
  ];
  expect(await auditStreams([all], [])).toMatchObject({ streams: [], missing: gone });
  rmSync(join(own, "journal"), { recursive: true });
  rmSync(join(own, "sessions"), { recursive: true });
  expect((await auditStreams([all], [])).missing).toMatchObject(gone);
});

it("a session's journal under another session's name is doubted", async () => {
  const { own, ...area } = await openArea();
  const journals = join(own, "journal/sessions");
  renameSync(join(journals, `${session.name}.jsonl`), join(journals, "other-0123456789-1.jsonl"));
  const { streams, missing } = await auditStreams([area], []);
  expect(missing).toMatchObject([{ id: session, problem: `session ${session.name}: its history is gone` }]);
  expect(streams.flatMap(({ doubts }) => doubts)).toEqual(["the journal belongs to another session"]);
});
