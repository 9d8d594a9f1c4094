import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { begunExample, completedExample, startedExample } from "../../testing/index.ts";
import type { Event } from "../../workflow/events.ts";
import { filePins } from "./file-pins.ts";
import { openSession } from "./window.testing.ts";

const begin = begunExample();
const pass: readonly Event[] = [
  { ...completedExample(1), ...{ step: "1", evidence: { proof: 1 } } },
  { ...startedExample(2), ...{ step: "2" } },
];

function openArea() {
  const area = mkdtempSync(join(tmpdir(), "waymark-sessions-"));
  const opened: { close(): void }[] = [];
  onTestFinished(() => {
    for (const session of opened) session.close();
    rmSync(area, { recursive: true, force: true });
  });
  return {
    area,
    file: join(area, ".waymark/sessions/a.json"),
    open() {
      const session = openSession(area, "a");
      opened.push(session);
      return session;
    },
    kept() {
      const folder = join(area, ".waymark", "kept");
      return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8")) : [];
    },
  };
}

async function walk() {
  const opened = openArea();
  const session = opened.open();
  await session.append(0, begin);
  const earlier = readFileSync(opened.file, "utf8");
  await session.append(1, pass);
  return { ...opened, session, earlier, text: readFileSync(opened.file, "utf8") };
}

it("the file of a session has exactly the fields of the contract", async () => {
  const { text } = await walk();
  expect(Object.keys(JSON.parse(text))).toEqual([
    "session_id",
    "workflow_type",
    "target_file",
    "current_phase",
    "completed_phases",
    "total_phases",
    "phase_artifacts",
    "checkpoints",
    "created_at",
    "updated_at",
  ]);
});

// Attack (file tools): Edit a session's file
// -> Undone, and the next reply says so
it("an edit of it is foreign, and says nothing of a position; repair restores it and keeps what stood there", async () => {
  const { open, file, text, kept } = await walk();
  const edited = text.replace('"current_phase": 2', '"current_phase": 9');
  writeFileSync(file, edited);
  const session = open();
  expect((await session.look()).found).toEqual({ kind: "foreign", file: { completed: [] } });
  expect(await session.repair({ keepAside: true })).toEqual([]);
  expect([readFileSync(file, "utf8"), kept()]).toEqual([text, [edited]]);
  for (const window of [session, open()]) expect((await window.look()).found).toEqual({ kind: "current" });
});

it("an edit made between look and append is kept aside before it is overwritten", async () => {
  const { session, file, kept } = await walk();
  const { seen } = await session.look();
  writeFileSync(file, '{"mine": true}');
  expect(await session.append(seen, [startedExample(3)])).toEqual({ status: "recorded", warnings: [] });
  expect(kept()).toEqual(['{"mine": true}']);
  expect((await session.look()).found).toEqual({ kind: "current" });
});

it("one that does not parse is malformed, and an empty one is behind", async () => {
  const { open, file, kept, text } = await walk();
  writeFileSync(file, "{ half");
  const session = open();
  expect((await session.look()).found.kind).toBe("malformed");
  await session.repair({ keepAside: true });
  expect([readFileSync(file, "utf8"), kept()]).toEqual([text, ["{ half"]]);
  writeFileSync(file, "");
  expect((await open().look()).found).toEqual({ kind: "behind" });
});

it("one that is gone is deleted for whoever showed it, and behind for anybody else; repair writes it again", async () => {
  const { session, open, file, text, kept } = await walk();
  rmSync(file);
  expect((await open().look()).found).toEqual({ kind: "behind" });
  expect((await session.look()).found).toEqual({ kind: "deleted" });
  expect(await session.repair({ keepAside: false })).toEqual([]);
  expect([readFileSync(file, "utf8"), kept()]).toEqual([text, []]);
});

it("one from an earlier point of the history is behind, and repair brings it up to date without keeping it", async () => {
  const { session, open, file, text, earlier, kept } = await walk();
  for (const window of [session, open()]) {
    writeFileSync(file, earlier);
    expect((await window.look()).found).toEqual({ kind: "behind" });
    expect(await window.repair({ keepAside: false })).toEqual([]);
    expect(readFileSync(file, "utf8")).toBe(text);
  }
  expect(kept()).toEqual([]);
});

it("a file newer than what a window knows is no edit", async () => {
  const { session, open, kept } = await walk();
  const other = open();
  await other.look();
  await session.append(2, [startedExample(3)]);
  expect((await other.look()).found).toEqual({ kind: "current" });
  expect(kept()).toEqual([]);
});

it("where it cannot be written the session goes on, and says so", async () => {
  const { area, open, file } = openArea();
  mkdirSync(join(area, ".waymark"), { recursive: true });
  writeFileSync(join(area, ".waymark", "sessions"), "in the way");
  const session = open();
  const { status, warnings } = await session.append(0, begin);
  expect([status, warnings.join()]).toEqual(["recorded", expect.stringMatching(/could not be written/)]);
  rmSync(join(area, ".waymark", "sessions"));
  expect((await session.look()).found).toEqual({ kind: "behind" });
  await session.repair({ keepAside: false });
  expect(existsSync(file)).toBe(true);
});

it("a record that cannot be written does not count, and nothing is held for later", async () => {
  const { area, open } = openArea();
  const journals = join(area, ".waymark/journal/sessions");
  mkdirSync(join(journals, ".."), { recursive: true });
  writeFileSync(journals, "in the way");
  const session = open();
  const { status, warnings } = await session.append(0, begin);
  expect([status, warnings]).toEqual(["failed", ["Unable to save workflow state. Progress may not be preserved."]]);
  rmSync(journals);
  expect((await session.look()).seen).toBe(0);
  expect((await session.append(0, begin)).status).toBe("recorded");
});

it("nothing half-made is left behind, shown or not", async () => {
  const { area, open, session } = await walk();
  session.close();
  const late = open();
  expect((await late.append(0, begin)).status).toBe("behind");
  late.close();
  await new Promise((resolve) => setTimeout(resolve, 50));
  // What is being published meanwhile is waited for, however slow the machine.
  await expect.poll(() => readdirSync(join(area, ".waymark/tmp")), { timeout: 300_000 }).toEqual([]);
});

// Attack (file tools): Change or delete the copy of a definition that a session keeps (`.waymark/pinned/`)
// -> Not trusted: its gates stay closed. Exposed by `verify` (exit 1) until a person accepts it
it("a pinned copy that was changed is not found", async () => {
  const { area } = openArea();
  const pins = filePins([join(area, "pinned")]);
  const pin = (await pins.keep("text")) ?? "";
  writeFileSync(join(area, "pinned", `${pin}.json`), "weaker");
  expect(await pins.find(pin)).toBeUndefined();
});

it("where nothing can be written in the first place a copy is kept in the next", async () => {
  const { area } = openArea();
  writeFileSync(join(area, "blocked"), "");
  const pins = filePins([join(area, "blocked"), join(area, "pinned")]);
  const pin = (await pins.keep("text")) ?? "";
  expect(await pins.find(pin)).toBe("text");
  expect(await filePins([join(area, "blocked")]).keep("text")).toBeUndefined();
});
