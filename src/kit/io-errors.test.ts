import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openWindow } from "../stores/file/window.testing.ts";
import { completedExample, startedExample } from "../testing/index.ts";

const stateWarning = "Unable to save workflow state. Progress may not be preserved.";
const logWarning = "Unable to log activity. Audit trail may be incomplete.";

function openArea() {
  const area = mkdtempSync(join(tmpdir(), "waymark-faults-"));
  const journals = join(area, ".waymark", "journal");
  const opened: { close(): void }[] = [];
  onTestFinished(() => {
    for (const history of opened) history.close();
    rmSync(area, { recursive: true, force: true });
  });
  return {
    area,
    journals,
    state: join(area, "workflow_state.json"),
    log: join(area, "activity_log.json"),
    open() {
      const history = openWindow(area);
      opened.push(history);
      return history;
    },
    /** The journal's folder gives way to a file, and comes back. */
    breakJournal() {
      if (existsSync(journals)) renameSync(journals, `${journals}.aside`);
      mkdirSync(join(area, ".waymark"), { recursive: true });
      writeFileSync(journals, "in the way");
    },
    repairJournal() {
      rmSync(journals);
      if (existsSync(`${journals}.aside`)) renameSync(`${journals}.aside`, journals);
    },
  };
}

it("a state file that cannot be written is a warning, and is written as soon as it can be", async () => {
  const { open, state } = openArea();
  mkdirSync(state);
  const history = open();
  expect((await history.look()).found).toEqual({ kind: "current" });
  expect(await history.append(0, [startedExample(1)])).toEqual({ status: "recorded", warnings: [stateWarning] });
  expect(await history.repair({ keepAside: false })).toEqual([stateWarning]);
  expect((await history.look()).warnings).toEqual([stateWarning]);
  rmSync(state, { recursive: true });
  expect(await history.look()).toMatchObject({ found: { kind: "current" }, warnings: [] });
  expect(JSON.parse(readFileSync(state, "utf8"))).toMatchObject({ action_state: "started" });
});

it.each(["the same window", "a later one"])("what could not be written is no deletion, for %s", async (which) => {
  const { open, state } = openArea();
  const history = open();
  await history.append(0, [startedExample(1)]);
  rmSync(state);
  mkdirSync(state);
  const { seen } = await history.look();
  expect(await history.append(seen, [completedExample(1)])).toEqual({ status: "recorded", warnings: [stateWarning] });
  rmSync(state, { recursive: true });
  const window = which === "the same window" ? history : open();
  expect(await window.look()).toMatchObject({ found: { kind: "current" }, warnings: [] });
  expect(JSON.parse(readFileSync(state, "utf8"))).toMatchObject({ action_state: "completed" });
});

it("a log that cannot be written is a warning, and is written as soon as it can be", async () => {
  const { open, log } = openArea();
  mkdirSync(log);
  const history = open();
  expect(await history.append(0, [startedExample(1)])).toEqual({ status: "recorded", warnings: [logWarning] });
  rmSync(log, { recursive: true });
  expect(await history.append(1, [completedExample(1)])).toEqual({ status: "recorded", warnings: [] });
  expect(JSON.parse(readFileSync(log, "utf8"))).toHaveLength(2);
});

it("a failed publication leaves nothing half-written behind", async () => {
  const { area, open, state, log } = openArea();
  mkdirSync(state);
  mkdirSync(log);
  await open().append(0, [startedExample(1)]);
  expect(readdirSync(join(area, ".waymark", "tmp"))).toEqual([]);
});

it.each(["before the first record", "later"])(
  "records that cannot be written %s are held, and written in order",
  async (when) => {
    const { open, breakJournal, repairJournal, state } = openArea();
    const history = open();
    const written = when === "later" ? 1 : 0;
    if (written > 0) await history.append(0, [startedExample(0)]);
    breakJournal();
    const both = { status: "held", warnings: [stateWarning, logWarning] };
    expect(await history.append(written, [startedExample(1)])).toEqual(both);
    expect(await history.append(written + 1, [completedExample(1)])).toEqual(both);
    expect((await history.append(written, [startedExample(5)])).status).toBe("behind");
    const { seen, stream, warnings } = await history.look();
    expect([seen, stream.focus?.state, warnings]).toEqual([written + 2, "completed", [stateWarning, logWarning]]);
    expect((await history.views()).state).toMatchObject({ action_state: "completed" });
    expect((await history.events()).slice(written)).toEqual([startedExample(1), completedExample(1)]);

    repairJournal();
    expect(await history.look()).toMatchObject({ seen: written + 2, found: { kind: "current" }, warnings: [] });
    expect((await open().events()).slice(written)).toEqual([startedExample(1), completedExample(1)]);
    expect(JSON.parse(readFileSync(state, "utf8"))).toMatchObject({ action_state: "completed" });
  },
);

it("a held record is written before the next one", async () => {
  const { open, breakJournal, repairJournal } = openArea();
  const history = open();
  breakJournal();
  await history.append(0, [startedExample(1)]);
  repairJournal();
  expect(await history.append(1, [completedExample(1)])).toEqual({ status: "recorded", warnings: [] });
  expect(await open().events()).toEqual([startedExample(1), completedExample(1)]);
});

it("a held record that no longer fits is named and dropped, with what was built on it", async () => {
  const { open, breakJournal, repairJournal } = openArea();
  const [history, other] = [open(), open()];
  await history.append(0, [startedExample(0)]);
  breakJournal();
  await history.append(1, [startedExample(1)]);
  await history.append(2, [completedExample(1)]);
  repairJournal();
  await other.append(1, [startedExample(2)]);
  const { seen, warnings } = await history.look();
  expect(seen).toBe(2);
  expect(warnings).toEqual([
    "Conflict: another window continued while the history could not be written. Not recorded: started discovery.step_1, completed discovery.step_1.",
  ]);
  expect((await history.look()).warnings).toEqual([]);
  expect(await history.events()).toEqual([startedExample(0), startedExample(2)]);
});

it("an edit that is answered while the journal cannot be written is not answered again", async () => {
  const { open, state, breakJournal, repairJournal } = openArea();
  const history = open();
  await history.append(0, [startedExample(0)]);
  breakJournal();
  rmSync(state);
  expect((await history.look()).found).toEqual({ kind: "deleted" });
  await history.append(1, [{ type: "began_anew", at: "", by: "window", reason: "deleted" }]);
  expect((await history.look()).found).toEqual({ kind: "current" });
  await history.append(2, [startedExample(1)]);
  expect((await history.look()).found).toEqual({ kind: "current" });
  repairJournal();
  await history.look();
  expect(JSON.parse(readFileSync(state, "utf8"))).toMatchObject({ current_action: "story_bot.discovery.step_1" });
});

it("a journal that is a link is a fault like any other, and nothing is written through it", async () => {
  const { open, journals } = openArea();
  mkdirSync(journals, { recursive: true });
  const journal = join(journals, "story_bot.jsonl");
  symlinkSync("elsewhere", journal);
  const history = open();
  expect((await history.append(0, [startedExample(1)])).status).toBe("held");
  expect((await history.look()).seen).toBe(1);
  rmSync(journal);
  expect(await history.append(1, [completedExample(1)])).toEqual({ status: "recorded", warnings: [] });
  expect(await open().events()).toHaveLength(2);
});
