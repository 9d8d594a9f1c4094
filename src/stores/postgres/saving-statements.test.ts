import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { cuttable } from "../../../test/cuttable.ts";
import { freshProject, postgresDatabase, postgresUrl } from "../../../test/postgres.ts";
import { createEngine } from "../../engine/engine.ts";
import { engineDepsWith } from "../../engine/engine-deps.testing.ts";
import type { ContentItem } from "../../engine/ports/content.ts";
import { sha256 } from "../../kit/sha256.ts";
import { completedExample } from "../../testing/example-events.ts";
import type { ContentRecord } from "../../workflow/events.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { type Database, openDatabase } from "./database.ts";
import { postgresStore } from "./postgres-store.ts";

const id: StreamId = { kind: "bot", name: "story_bot" };
const ref = { workflow: "shape", pass: 1, step: "one", attempt: 1 };
const event = completedExample(1);

function open(database: Database, project: string) {
  const store = postgresStore({ database, project, area: async () => "" });
  const prepare = async (items: readonly ContentItem[]): Promise<readonly ContentRecord[]> => {
    const prepared = await store.content.prepare?.(items);
    return prepared !== undefined && "records" in prepared ? prepared.records : [];
  };
  /** Records a completion with its readable record, and with whatever else was held for it. */
  const complete = async (seen: number, path: string, text: string, others: readonly ContentRecord[] = []) => {
    const records = [...(await prepare([{ path, text, readable: true }])), ...others];
    return store.log.append(id, seen, [event], { onFault: "refuse", saving: { ref, records, texts: [text] } });
  };
  return { ...store, prepare, complete };
}

it("what a completion keeps and saves stands there with its record, and nothing is left to be saved", async () => {
  const { log, content, complete } = open(await postgresDatabase(), freshProject());
  const held = await content.hold(id, ref, [{ path: "a.md", text: "# Größe" }]);
  await log.load(id);
  const text = "a line\nwith \0 and \ud800";
  const others = "records" in held ? held.records : [];
  expect(await complete(0, "record.md", text, others)).toEqual({ status: "recorded", warnings: [], saved: [] });
  expect(await content.currentText?.("a.md")).toBe("# Größe");
  expect(await content.currentText?.("record.md")).toBe(Buffer.from(text).toString());
  const asked: unknown[] = [];
  await content.saveLeftOvers(id, async (left) => void asked.push(left));
  expect(asked).toEqual([]);
});

it("whoever comes too late keeps and saves nothing", async () => {
  const { log, content, complete } = open(await postgresDatabase(), freshProject());
  await log.load(id);
  const texts = ["first", "second"];
  const statuses = await Promise.all(texts.map(async (text) => (await complete(0, `${text}.md`, text)).status));
  expect(statuses.toSorted()).toEqual(["behind", "recorded"]);
  const found = texts.map(async (text) => [
    await content.currentText?.(`${text}.md`),
    await content.readByHash?.(sha256(text)),
  ]);
  const wanted = texts.map((text, index) => (statuses[index] === "recorded" ? [text, text] : [undefined, undefined]));
  expect(await Promise.all(found)).toEqual(wanted);
});

it("a readable record replaces nobody's file, also where that came after it was looked for", async () => {
  const { log, content, prepare } = open(await postgresDatabase(), freshProject());
  const records = await prepare([{ path: "record.md", text: "ours", readable: true }]);
  const theirs = await content.hold(id, { ...ref, step: "other" }, [{ path: "record.md", text: "theirs" }]);
  if ("records" in theirs) await content.save(id, { ...ref, step: "other" }, theirs.records);
  const { seen } = await log.load(id);
  const saving = { ref, records, texts: ["ours"] };
  const { status, saved } = await log.append(id, seen, [event], { onFault: "refuse", saving });
  expect([status, saved]).toEqual(["recorded", [expect.stringContaining("record.md is not Waymark's file")]]);
  expect(await content.currentText?.("record.md")).toBe("theirs");
  expect(await content.readByHash?.(sha256("ours"))).toBe("ours");
});

it("an answer that was lost on the way is found again, with all that was saved, once", async () => {
  const project = freshProject();
  const way = await cuttable(await postgresUrl());
  const database = openDatabase(way.url, { patience: 300_000, connections: 1 });
  onTestFinished(async () => {
    await database.close();
    way.close();
  });
  const { log, prepare, complete } = open(database, project);
  const direct = open(await postgresDatabase(), project);
  // Each statement has been answered once: from then on one goes out without waiting for an answer first.
  await complete(0, "before.md", "before");
  await turn();
  const records = await prepare([{ path: "record.md", text: "ours", readable: true }]);
  way.muffle();
  const appending = log.append(id, 1, [event], { onFault: "refuse", saving: { ref, records, texts: ["ours"] } });
  for (let seen = 0; seen < 2; seen = (await direct.log.load(id)).seen) await wait(10);
  way.mend(); // the connection dies with the answer
  expect(await appending).toEqual({ status: "recorded", warnings: [], saved: [] });
  expect((await direct.log.load(id)).seen).toBe(2);
  expect(await direct.content.currentText?.("record.md")).toBe("ours");
});

it("completing with outputs takes three statements, of which one writes", async () => {
  const shared = await postgresDatabase();
  const statements: string[] = [];
  const database: Database = {
    ...shared,
    run(text, values) {
      statements.push(/\b(insert|update|delete)\b/.test(text) ? "writes" : "reads");
      return shared.run(text, values);
    },
  };
  const parts = engineDepsWith(open(database, freshProject()));
  const record = { path: () => "record.md", text: () => "what was handed in" };
  const engine = createEngine({ ...parts, definitions: { ...parts.definitions, record } });
  const caller = { id: "somebody" };
  await engine.open(caller, {});
  statements.length = 0;
  const { outcome } = await engine.complete(caller, { outputs: { goal: "tea" } });
  expect(outcome.kind).toBe("completed");
  expect(statements).toEqual(["reads", "reads", "writes"]);
  expect(await parts.content.currentText?.("record.md")).toBe("what was handed in");
});
