import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { begunExample, completedExample, startedExample } from "../../testing/index.ts";
import { auditJournal } from "./audit-journal.ts";
import { auditStream } from "./audit-stream.ts";
import { auditViews } from "./audit-views.ts";
import { fileStore } from "./file-store.ts";
import { openSession, openWindow } from "./window.testing.ts";

const id = { kind: "bot", name: "story_bot" } as const;

async function openArea(records = 5) {
  const area = mkdtempSync(join(tmpdir(), "waymark-verify-"));
  const opened: { close(): void }[] = [];
  onTestFinished(() => {
    for (const history of opened) history.close();
    rmSync(area, { recursive: true });
  });
  const journal = join(area, ".waymark/journal/story_bot.jsonl");
  const open = () => {
    const history = openWindow(area);
    opened.push(history);
    return history;
  };
  const history = open();
  for (let seen = 0; seen < records; seen++) await history.append(seen, [startedExample(seen), completedExample(seen)]);
  return {
    area,
    journal,
    open,
    lines: () => readFileSync(journal, "utf8").split("\n"),
    /** Changes one line, counted from 1; undefined leaves it out. */
    change(number: number, change: (line: string) => string | undefined) {
      const lines = readFileSync(journal, "utf8").split("\n");
      writeFileSync(
        journal,
        lines.flatMap((line, index) => (index === number - 1 ? (change(line) ?? []) : line)).join("\n"),
      );
    },
  };
}

const damages = {
  "a changed word": (line: string) => line.replace("go on", "go no"),
  "a line that no longer parses": (line: string) => line.replace('"by"', "'by'"),
  "a line that is gone": () => undefined,
};

/** The views as one reading of the journal finds them: just as a closer look does. */
function viewsOf(area: string) {
  const { views } = auditStream(area, id);
  expect(views).toEqual(auditViews(area, id));
  return views;
}

it("a history that nobody touched is whole, and both files show it", async () => {
  const { area, lines } = await openArea();
  const { records, breaks, unfinished, place, lines: found } = auditJournal(area, id);
  expect([records, breaks, unfinished, place]).toEqual([5, [], 0, ".waymark/journal/story_bot.jsonl"]);
  expect(viewsOf(area)).toEqual([
    { view: "workflow_state.json", verdict: "current" },
    { view: "activity_log.json", verdict: "current" },
  ]);
  expect(found).toEqual([]);
  expect(lines()[0]).toContain('"format":1');
});

it("whoever waits for a reading hears how far it has come, and that it has ended, though the last line was cut", async () => {
  const { area, journal } = await openArea();
  appendFileSync(journal, '{"events":[');
  const { length } = readFileSync(journal);
  const whole = length - '{"events":['.length;
  const heard: number[][] = [];
  auditStream(area, id, { onRead: (offset, end) => heard.push([offset, end]) });
  expect(heard[0]).toEqual([whole, length]);
  expect(heard.at(-1)).toEqual([length, length]);
});

it("what is not there is no history, and no break", async () => {
  const { area } = await openArea(0);
  expect(auditJournal(area, id)).toMatchObject({ records: 0, breaks: [], missing: "its history is gone", doubts: [] });
  expect(viewsOf(area).map(({ verdict }) => verdict)).toEqual(["current", "current"]);
  expect(existsSync(join(area, ".waymark"))).toBe(false);
});

it.each([
  ["a changed word", 3, 3, "record 3 is not the one that record 4, line 4, follows: one of the two was changed"],
  [
    "a line that no longer parses",
    3,
    3,
    "record 3 is missing or unreadable; the next readable one is record 4 on line 4",
  ],
  ["a line that is gone", 3, 3, "record 3 is missing or unreadable; the next readable one is record 4 on line 3"],
  ["a line that no longer parses", 5, 5, "record 5 cannot be read"],
  ["a changed word", 1, 1, "record 1 is not the one that record 2, line 2, follows: one of the two was changed"],
] as const)("%s in line %i is found, with its place", async (damage, number, line, reason) => {
  const { area, lines, change } = await openArea();
  const before = lines().slice(0, line - 1);
  const offset = Buffer.byteLength(before.map((text) => `${text}\n`).join(""));
  change(number, damages[damage]);
  expect(auditJournal(area, id).breaks).toEqual([{ line, seq: number, reason, offset }]);
});

it.each(Object.entries(damages))(
  "after %s the rest still counts, once everybody was told and the damaged file is kept aside",
  async (_, damage) => {
    const { area, journal, open, change } = await openArea();
    change(3, damage);
    const damaged = readFileSync(journal, "utf8");
    const window = open();
    const { warnings, seen } = await window.look();
    expect(warnings.join()).toMatch(/^The history is damaged: story_bot\.jsonl, byte \d+: record .*kept/);
    expect(seen).toBe(5);
    expect((await window.look()).warnings.filter((warning) => warning.includes("damaged"))).toEqual([]);
    const kept = readdirSync(join(area, ".waymark/kept")).filter((name) => name.endsWith(".jsonl"));
    expect(kept.map((name) => readFileSync(join(area, ".waymark/kept", name), "utf8"))).toEqual([damaged]);
    expect((await window.append(5, [startedExample(6)])).status).toBe("recorded");
    for (const later of [open(), open()]) {
      const events = await later.events();
      expect(events.slice(-3)).toEqual([startedExample(4), completedExample(4), startedExample(6)]);
      expect((await later.look()).warnings).toEqual([]);
    }
    expect(auditJournal(area, id)).toMatchObject({ seq: 6, breaks: [{ seq: 3, line: 3 }] });
  },
);

it("a damaged record at the end is reported by whoever looks first, and by verify ever after", async () => {
  const { area, open, change } = await openArea();
  change(5, damages["a line that no longer parses"]);
  const window = open();
  expect((await window.look()).warnings[0]).toMatch(/damaged: .*record 5 cannot be read/);
  await window.append((await window.look()).seen, [startedExample(9)]);
  expect(auditJournal(area, id).lines.map(({ kind }) => kind)).toContain("damaged");
});

it("what lost a race, was torn off or was written again is told apart, and is no break", async () => {
  const { area, journal, lines, open } = await openArea(2);
  const [first = "", second = ""] = lines();
  const late = second.replace(/"op":"[^"]*"/, '"op":"late"');
  appendFileSync(journal, `${late}\n${first}\n${second.slice(0, 40)}`);
  const window = open();
  await window.append((await window.look()).seen, [startedExample(3)]);
  const { breaks, records, lines: found } = auditJournal(area, id);
  expect([breaks, records]).toEqual([[], 3]);
  expect(found.map(({ kind }) => kind)).toEqual(["void", "void", "torn"]);
});

it("files that do not show the history are told apart", async () => {
  const { area, open } = await openArea();
  const [state, log] = [join(area, "workflow_state.json"), join(area, "activity_log.json")];
  const [earlier, earlierLog] = [readFileSync(state, "utf8"), readFileSync(log, "utf8")];
  await open().append(5, [startedExample(7)]);
  const verdicts = () => viewsOf(area).map(({ verdict }) => verdict);
  expect(verdicts()).toEqual(["current", "current"]);
  writeFileSync(state, earlier);
  writeFileSync(log, earlierLog);
  expect(verdicts()).toEqual(["behind", "behind"]);
  writeFileSync(state, earlier.replace("step_1", "step_2"));
  writeFileSync(log, "[]\n");
  expect(verdicts()).toEqual(["differs", "behind"]);
  rmSync(state);
  writeFileSync(log, "{");
  expect(verdicts()).toEqual(["missing", "torn"]);
});

it("a last record that cannot be read is shown for good, also after another has taken its number", async () => {
  const { area, change, open } = await openArea();
  change(5, (line) => `x${line.slice(1)}`);
  expect(auditJournal(area, id).breaks).toMatchObject([{ line: 5, seq: 5, reason: "record 5 cannot be read" }]);
  const window = open();
  const { seen } = await window.look();
  expect((await window.append(seen, [startedExample(9)])).status).toBe("recorded");
  expect(auditJournal(area, id).breaks).toMatchObject([
    { line: 5, seq: 5, reason: expect.stringMatching(/another has taken/) },
  ]);
});

it("a history that is gone, or cannot be read, is told from one that never was", async () => {
  const { area, journal, open } = await openArea();
  const { log } = fileStore(area, { clock: () => new Date() });
  const history = readFileSync(journal);
  writeFileSync(journal, "");
  expect([await log.streams(), auditJournal(area, id).missing]).toEqual([[id], "its history is gone"]);
  rmSync(journal);
  mkdirSync(journal);
  expect([await log.streams(), auditJournal(area, id).missing]).toEqual([[id], "its history cannot be read (EISDIR)"]);
  rmSync(journal, { recursive: true });
  const window = open();
  await window.append((await window.look()).seen, [startedExample(1)]);
  window.close();
  const text = "an earlier history of at least 1 record is gone";
  expect(auditJournal(area, id).disputes).toEqual([{ text, hash: expect.any(String) }]);
  writeFileSync(journal, history);
});

it("the file of a session is told to be current, behind, missing or another's", async () => {
  const { area } = await openArea(0);
  const session = openSession(area, "survey-1");
  await session.append(0, begunExample());
  const file = join(area, ".waymark/sessions/survey-1.json");
  const earlier = readFileSync(file, "utf8");
  await session.append(1, [startedExample(2)]);
  const verdict = () => auditViews(area, { kind: "session", name: "survey-1" });
  expect(verdict()).toEqual([{ view: ".waymark/sessions/survey-1.json", verdict: "current" }]);
  for (const [text, expected] of [
    [earlier, "behind"],
    ["{", "torn"],
    [earlier.replace("discovery", "another"), "differs"],
  ] as const) {
    writeFileSync(file, text);
    expect(verdict()).toMatchObject([{ verdict: expected }]);
  }
  rmSync(file);
  expect(verdict()).toMatchObject([{ verdict: "missing" }]);
  session.close();
});
