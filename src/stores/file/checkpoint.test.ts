import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sha256 } from "../../kit/sha256.ts";
import { completedExample, startedExample } from "../../testing/index.ts";
import type { Event } from "../../workflow/events.ts";
import { replay } from "../../workflow/replay.ts";
import { emptyStream } from "../../workflow/stream-snapshot.ts";
import { genesisHash, toLine } from "../chain/journal-record.ts";
import { openWindow } from "./window.testing.ts";

const count = 600;
const actions = Array.from({ length: count }, (_, number): readonly Event[] => [
  startedExample(number % 50),
  completedExample(number % 50),
]);

/** A history long enough for a checkpoint, opened once so that there is one. */
async function openArea() {
  const projectArea = mkdtempSync(join(tmpdir(), "waymark-checkpoint-"));
  const journal = join(projectArea, ".waymark/journal/story_bot.jsonl");
  const checkpoint = join(projectArea, ".waymark/journal/story_bot.checkpoint");
  mkdirSync(join(journal, ".."), { recursive: true });
  let prev = genesisHash;
  const lines = actions.map((events, index) => {
    const line = toLine({ seq: index + 1, prev, op: `op ${index}`, events });
    prev = line.hash;
    return `${line.text}\n`;
  });
  writeFileSync(journal, lines.join(""));
  const opened: { close(): void }[] = [];
  const open = () => {
    const history = openWindow(projectArea);
    opened.push(history);
    return history;
  };
  onTestFinished(() => {
    for (const history of opened) history.close();
    rmSync(projectArea, { recursive: true });
  });
  const first = open();
  await first.look();
  first.close();
  return {
    projectArea,
    journal,
    checkpoint,
    open,
    state: join(projectArea, "workflow_state.json"),
    log: join(projectArea, "activity_log.json"),
  };
}

/** What a history says that is opened now, against what its events add up to. */
async function expectRight(
  { open, projectArea }: Awaited<ReturnType<typeof openArea>>,
  events: readonly Event[],
  said: readonly unknown[] = [],
): Promise<void> {
  const history = open();
  const { stream, found, warnings } = await history.look();
  expect([found, warnings]).toEqual([{ kind: "current" }, said]);
  expect(stream).toEqual(replay(events));
  expect(await history.events()).toEqual(events);
  const next = startedExample(77);
  expect(await history.append((await history.look()).seen, [next])).toEqual({ status: "recorded", warnings: [] });
  const views = await history.views();
  expect(JSON.parse(readFileSync(join(projectArea, "workflow_state.json"), "utf8"))).toEqual(views.state);
  expect(JSON.parse(readFileSync(join(projectArea, "activity_log.json"), "utf8"))).toEqual(views.log);
  expect(existsSync(join(projectArea, ".waymark/kept"))).toBe(said.length > 0);
}

it("a history opened from its checkpoint is the one that all its records add up to", async () => {
  const area = await openArea();
  expect(existsSync(area.checkpoint)).toBe(true);
  await expectRight(area, actions.flat());
});

it("what was recorded after the checkpoint is read on top of it", async () => {
  const area = await openArea();
  const saved = readFileSync(area.checkpoint);
  const history = area.open();
  const later = [startedExample(60), completedExample(60), startedExample(61)];
  for (const event of later) await history.append((await history.look()).seen, [event]);
  history.close();
  expect(readFileSync(area.checkpoint)).toEqual(saved);
  await expectRight(area, [...actions.flat(), ...later]);
});

it("a checkpoint is not believed of any other journal, not even of one that differs in a byte", async () => {
  const area = await openArea();
  const text = readFileSync(area.journal, "utf8");
  const at = text.lastIndexOf("go on");
  writeFileSync(area.journal, `${text.slice(0, at)}go no${text.slice(at + 5)}`);
  const { stream } = await area.open().look();
  const changed = actions.flat().at(-1);
  expect(stream).toEqual(
    replay([
      ...actions.flat().slice(0, -1),
      ...(changed?.type === "completed" ? [{ ...changed, word: { level: "relayed", text: "go no" } as const }] : []),
    ]),
  );
  writeFileSync(area.journal, text.slice(0, text.length / 2));
  expect((await area.open().look()).seen).toBeLessThan(count);
});

it.each([
  ["cut short", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2), []],
  [
    "changed",
    (bytes: Buffer) => Buffer.from(bytes.toString("latin1").replace("step_7", "step_8"), "latin1"),
    [expect.stringMatching(/checkpoint is not what Waymark saved/)],
  ],
  ["empty", () => Buffer.alloc(0), []],
])("a checkpoint that is %s is not believed", async (_, damage, said) => {
  const area = await openArea();
  writeFileSync(area.checkpoint, damage(readFileSync(area.checkpoint)));
  await expectRight(area, actions.flat(), said);
});

it("published files that are gone or changed are told from ours without the checkpoint's word", async () => {
  const area = await openArea();
  rmSync(area.log);
  const history = area.open();
  expect((await history.look()).found).toEqual({ kind: "current" });
  expect(JSON.parse(readFileSync(area.log, "utf8"))).toEqual((await history.views()).log);
  history.close();
  const state = JSON.parse(readFileSync(area.state, "utf8"));
  writeFileSync(area.state, JSON.stringify({ ...state, completed_actions: state.completed_actions.slice(0, -1) }));
  expect((await area.open().look()).found.kind).toBe("foreign");
  appendFileSync(area.log, " ");
  expect((await area.open().look()).stream).toEqual(replay(actions.flat()));
});

it("whoever changes what a desk holds is reminded to change the checkpoint's format", () => {
  const stream = replay([startedExample(1), completedExample(1)], emptyStream);
  const run = stream.runs.get("discovery");
  const shapes = [stream, run ?? {}, run?.steps.get("step_1") ?? {}].map((value) =>
    Object.keys(value).toSorted().join(" "),
  );
  expect(shapes).toEqual([
    "archivedAt changedAt completedCount focus independentSteps lastCompleted moves openSteps passes pastCompletions provenCount recentCompletions rejections runs session",
    "pass steps workflow",
    "attempt completion gated openedBy rounds startedAt status submitted successor",
  ]);
});

/** So many records after a line of the journal, as another branch wrote them. */
function otherSide(journal: string, after: number, length: number): readonly string[] {
  let prev = sha256(readFileSync(journal, "utf8").split("\n")[after - 1] ?? "");
  return Array.from({ length }, (_, number) => {
    const events = [startedExample(number, "another")];
    const line = toLine({ seq: after + number + 1, prev, op: `other ${number}`, copy: "other", events });
    prev = line.hash;
    return line.text;
  });
}

it("a checkpoint knows of what was set aside before it, so that what goes on from there stays aside", async () => {
  const area = await openArea();
  const [before, later] = [otherSide(area.journal, count - 5, 10), otherSide(area.journal, count - 5, 12).slice(10)];
  appendFileSync(area.journal, `${before.join("\n")}\n`);
  rmSync(area.checkpoint);
  const first = area.open();
  expect(await first.look()).toMatchObject({ seen: count, forkedRecords: 10 });
  first.close();
  expect(existsSync(area.checkpoint)).toBe(true);
  appendFileSync(area.journal, `${later.join("\n")}\n`);
  const window = area.open();
  expect(await window.look()).toMatchObject({ seen: count, forkedRecords: 12, warnings: [] });
  expect((await window.append(count, [startedExample(1)])).status).toBe("recorded");
  expect(await area.open().look()).toMatchObject({ seen: count + 1, forkedRecords: 12, warnings: [] });
});

it("a checkpoint of the side that does not count after a merge is not believed", async () => {
  const area = await openArea();
  const lines = readFileSync(area.journal, "utf8").trimEnd().split("\n");
  const side = otherSide(area.journal, count - 5, 10);
  const merged = lines.toSpliced(count - 5, 0, ...side);
  writeFileSync(area.journal, `${merged.join("\n")}\n`);
  const window = area.open();
  expect(await window.look()).toMatchObject({
    seen: count + 5,
    forkedRecords: 5,
    found: { kind: "current" },
    warnings: [],
  });
  expect((await window.events()).slice(-1)).toEqual([startedExample(9, "another")]);
});
