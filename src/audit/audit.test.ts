import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { DeskId } from "../engine/ports.ts";
import { sessionsOf } from "../evidence/session-id.ts";
import { fileStore } from "../stores/file/file-store.ts";
import { memoryStore } from "../stores/memory/memory-store.ts";
import type { Store } from "../stores/store.ts";
import { begunExample, completedExample, startedExample } from "../testing/index.ts";
import { auditDesks, eventsOf, problemsOf, signDesks } from "./audit.ts";
import { newHeadKeys } from "./signed-heads.ts";

const bot: DeskId = { kind: "bot", name: "story_bot" };
const session: DeskId = {
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
  const { desks, missing } = await auditDesks([{ area: "here", ...store }], []);
  expect(missing).toEqual([]);
  const found = desks.map(async (desk) => [desk.kind, desk.journal.records, (await eventsOf(desk)).length]);
  expect(await Promise.all(found)).toEqual([
    ["bot", 2, 2],
    ["session", 2, 3],
  ]);
  expect(desks.map(({ desk }) => desk.completedCount)).toEqual([1, 1]);
  expect(desks.flatMap(problemsOf)).toEqual([]);
});

it("a signed head holds as long as the history up to it is the one that was signed", async () => {
  const { heads, journal, ...store } = await openArea();
  const { privateKey, publicKey } = newHeadKeys();
  const area = { heads, ...store };
  const { desks } = await auditDesks([area], []);
  const signed = await signDesks(desks, privateKey, new Date(0));
  expect(signed).toHaveLength(2);
  const verdicts = async (keys: readonly string[]) =>
    (await auditDesks([area], keys)).desks.map((desk) => desk.heads.map(({ verdict }) => verdict));
  expect(await verdicts([publicKey])).toEqual([["holds"], ["holds"]]);
  expect(await verdicts([])).toEqual([["unknown key"], ["unknown key"]]);
  expect(await verdicts([newHeadKeys().publicKey])).toEqual([["unknown key"], ["unknown key"]]);
  if (signed[0] !== undefined) await heads.keep(bot, { ...signed[0], seq: 1 });
  expect((await verdicts([publicKey]))[0]).toEqual(["holds", "bad signature"]);
  writeFileSync(journal, readFileSync(journal, "utf8").replace("go on", "go no"));
  const [changed] = (await auditDesks([area], [publicKey])).desks;
  expect(changed?.journal.breaks).toEqual([]); // the last record can be changed without a trace in the chain
  expect(changed?.heads[0]?.verdict).toBe("other history");
  expect((changed && problemsOf(changed))?.join()).toMatch(/the head signed on 1970-01-01 is of another history/);
});

it("a history without a head that was signed with a key that was given is doubted", async () => {
  const area = await openArea();
  const { desks } = await auditDesks([area], [newHeadKeys().publicKey]);
  expect(desks.map(({ doubts }) => doubts)).toEqual(
    Array(2).fill(["no head of it was signed with a key that was given"]),
  );
});

it("heads that cannot be read are doubts", async () => {
  const { heads, own, ...area } = await openArea();
  const { privateKey } = newHeadKeys();
  const all = { heads, ...area };
  await signDesks((await auditDesks([all], [])).desks, privateKey, new Date(0));
  appendFileSync(join(own, "heads", "story_bot.jsonl"), "{ half\n");
  const [desk] = (await auditDesks([all], [])).desks;
  expect(desk?.doubts).toEqual(["1 signed head(s) cannot be read"]);
});

it("what left a trace and has no history is missing: a published file, a session's file, a signed head", async () => {
  const { heads, own, journal, ...area } = await openArea();
  const all = { heads, ...area };
  await signDesks((await auditDesks([all], [])).desks, newHeadKeys().privateKey, new Date(0));
  rmSync(journal);
  rmSync(join(own, "journal/sessions"), { recursive: true });
  const gone = [
    { id: { kind: "bot", name: "story_bot" }, problem: "story_bot: its history is gone" },
    { id: session, problem: `session ${session.name}: its history is gone` },
  ];
  expect(await auditDesks([all], [])).toMatchObject({ desks: [], missing: gone });
  rmSync(join(own, "journal"), { recursive: true });
  rmSync(join(own, "sessions"), { recursive: true });
  expect((await auditDesks([all], [])).missing).toMatchObject(gone);
});

it("a session's journal under another session's name is doubted", async () => {
  const { own, ...area } = await openArea();
  const journals = join(own, "journal/sessions");
  renameSync(join(journals, `${session.name}.jsonl`), join(journals, "other-0123456789-1.jsonl"));
  const { desks, missing } = await auditDesks([area], []);
  expect(missing).toMatchObject([{ id: session, problem: `session ${session.name}: its history is gone` }]);
  expect(desks.flatMap(({ doubts }) => doubts)).toEqual(["the journal is that of another session"]);
});
