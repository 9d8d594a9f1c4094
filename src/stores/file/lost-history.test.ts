import {
  copyFileSync,
  existsSync,
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
import { begunExample, completedExample, startedExample } from "../../testing/index.ts";
import { fileStore } from "./file-store.ts";
import { botReducer } from "./journal-totals.ts";
import { openRecords } from "./records.ts";
import { openStateFile } from "./state-file.ts";
import { botPaths } from "./stream-paths.ts";
import { openWindow } from "./window.testing.ts";

/** A project area in which three steps are on record, as four windows saw it. */
async function openArea() {
  const area = mkdtempSync(join(tmpdir(), "waymark-lost-"));
  const opened: { close(): void }[] = [];
  onTestFinished(() => {
    for (const history of opened) history.close();
    rmSync(area, { recursive: true, force: true });
  });
  const open = () => {
    const history = openWindow(area);
    opened.push(history);
    return history;
  };
  const journal = join(area, ".waymark/journal/story_bot.jsonl");
  const history = open();
  const events = [0, 1, 2].flatMap((number) => [startedExample(number), completedExample(number)]);
  for (const [seen, event] of events.entries()) {
    await history.append(seen, [event]);
    if (seen === 2) copyFileSync(journal, `${journal}.older`);
  }
  const kept = (): string[] => {
    const folder = join(area, ".waymark/kept");
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  const shown = (): unknown[] =>
    ["workflow_state.json", "activity_log.json"].map((name) => JSON.parse(readFileSync(join(area, name), "utf8")));
  return { area, journal, history, open, kept, shown, events };
}

it.each([
  ["renamed into its place", (journal: string) => renameSync(`${journal}.older`, journal)],
  ["written over it", (journal: string) => writeFileSync(journal, readFileSync(`${journal}.older`))],
])("an older journal, %s while a window is open, is said, and both files are whole", async (_, putBack) => {
  const { journal, history, shown, kept, events } = await openArea();
  putBack(journal);
  const { warnings, seen } = await history.look();
  expect(seen).toBe(3);
  expect(warnings.join()).toMatch(/The history was rolled back: story_bot\.jsonl had 6 records/);
  for (const number of [7, 8, 9]) {
    const { seen: now } = await history.look();
    await history.append(now, [startedExample(number)]);
    expect(shown()[1]).toHaveLength(now + 1);
  }
  expect((await history.look()).warnings).toEqual([]);
  expect(await history.events()).toEqual([...events.slice(0, 3), ...[7, 8, 9].map((number) => startedExample(number))]);
  expect(kept().join()).toMatch(/activity_log/);
});

it("a journal that is gone, empty or no journal is said by the next window, and junk is kept aside", async () => {
  const { journal, open, kept } = await openArea();
  writeFileSync(journal, "not a journal\nat all\n");
  expect((await open().look()).warnings.join()).toMatch(/none of its records can be read.*is gone or was replaced/);
  expect(kept().join()).toMatch(/story_bot/);
  for (const spoil of [() => writeFileSync(journal, ""), () => rmSync(journal)]) {
    spoil();
    expect((await open().look()).warnings.join()).toMatch(/The history of story_bot is gone or was replaced/);
  }
});

it("a project area that a link was put in the place of is not gone on with behind it, asked or unasked", async () => {
  const { area, history } = await openArea();
  const [moved, outside] = [`${area}-moved`, mkdtempSync(join(tmpdir(), "waymark-outside-"))];
  renameSync(area, moved);
  symlinkSync(outside, area);
  onTestFinished(() => {
    for (const folder of [moved, outside]) rmSync(folder, { recursive: true, force: true });
  });
  expect((await history.look()).warnings.join()).toContain("now leads to another folder through a link");
  await history.append(6, [startedExample(7)]);
  history.close();
  expect(readdirSync(outside)).toEqual([]);
});

it("lines that end as on another system are the same lines", async () => {
  const { journal, open, events } = await openArea();
  writeFileSync(journal, readFileSync(journal, "utf8").replaceAll("\n", "\r\n"));
  const window = open();
  expect((await window.look()).warnings).toEqual([]);
  expect(await window.append(6, [startedExample(7)])).toMatchObject({ status: "recorded", warnings: [] });
  expect(await window.events()).toEqual([...events, startedExample(7)]);
});

it("a log that somebody changed is kept aside, and the next caller is told", async () => {
  const { area, open, kept } = await openArea();
  writeFileSync(join(area, "activity_log.json"), '[{"mine": true}]');
  const window = open();
  expect((await window.look()).warnings.join()).toMatch(/activity_log\.json was changed outside Waymark/);
  expect(kept().join()).toMatch(/activity_log/);
});

it("a session whose journal is empty has not begun; one whose journal is gone keeps its id", async () => {
  const { area } = await openArea();
  const { log, views } = fileStore(area, { clock: () => new Date() });
  const session = (name: string) => ({ kind: "session", name }) as const;
  await log.append(session("survey-1"), 0, begunExample(), { onFault: "refuse" });
  await views.publish(session("survey-1"));
  const journals = join(area, ".waymark/journal/sessions");
  const listed = async () => (await log.streams()).filter(({ kind }) => kind === "session").map(({ name }) => name);
  writeFileSync(join(journals, "survey-2.jsonl"), "");
  expect([await listed(), await log.has(session("survey-2"))]).toEqual([["survey-1"], false]);
  rmSync(join(journals, "survey-1.jsonl"));
  expect([await listed(), await log.has(session("survey-1"))]).toEqual([["survey-1"], false]);
});

it("a history that another window begins between a first look at the journal and one at its files is no other history", async () => {
  const area = mkdtempSync(join(tmpdir(), "waymark-lost-"));
  const other = openWindow(area);
  const places = botPaths(area, { name: "story_bot" });
  const records = openRecords({ ...places, name: "story_bot" }, botReducer("story_bot"));
  const state = openStateFile(places, records, () => new Date());
  onTestFinished(() => {
    state.close();
    records.close();
    other.close();
    rmSync(area, { recursive: true, force: true });
  });
  records.settle(); // nothing is there yet
  await other.append(0, [startedExample(0)]);
  expect(state.isOfAnother()).toBe(false);
});
