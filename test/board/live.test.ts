import { expect, onTestFinished, test } from "vitest";
import type { LiveEvent, RunRow } from "../../src/dashboard/api/board-data.ts";
import { liveStream } from "../../src/dashboard/api/live-stream.ts";
import { startBoard, type TestBoard } from "../board.ts";
import { makeProject } from "../project.ts";
import { openWindow } from "../window.ts";

/** A page that listens: what it has heard, and a way to wait for more. */
async function listenTo(board: TestBoard) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const answer = await fetch(`http://localhost:${board.port}/api/live`, {
    headers: { authorization: `Bearer ${board.token}` },
    signal: stop.signal,
  });
  expect(answer.headers.get("content-type")).toMatch(/^text\/event-stream/);
  const heard: LiveEvent[] = [];
  let wake = (): void => undefined;
  let isOver = false;
  const ended = (async () => {
    let text = "";
    try {
      for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk;
        const events = text.split("\n\n");
        text = events.pop() ?? "";
        for (const event of events) heard.push(JSON.parse(event.slice("data: ".length)));
        wake();
      }
    } finally {
      isOver = true;
      wake();
    }
  })();
  ended.catch(() => undefined);
  const until = async (isIt: (event: LiveEvent) => boolean): Promise<LiveEvent> => {
    for (;;) {
      const found = heard.find(isIt);
      if (found !== undefined) return found;
      if (isOver) throw new Error("The stream is over.");
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  const run = async (isIt: (row: RunRow) => boolean): Promise<RunRow> => {
    const found = await until((event) => event.type === "run" && isIt(event.row));
    return found.type === "run" ? found.row : expect.fail();
  };
  return { heard, until, run, ended, stop: () => stop.abort() };
}

test("what an assistant does in its window is told to every page that is open, and a run that begins meanwhile too", async () => {
  const project = makeProject();
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  const board = await startBoard(project.root);
  const [one, other] = [await listenTo(board), await listenTo(board)];
  for (const page of [one, other]) await page.until(({ type }) => type === "hello");
  expect((await board.ask("/api/runs")).data.runs).toMatchObject([{ completed: 0 }]);
  await window.call("complete_action", { confirmation: "yes" });
  for (const page of [one, other]) {
    const row = await page.run(({ completed }) => completed === 1);
    expect(row).toMatchObject({ key: "bot:story_bot", now: { step: "decide_planning_criteria" } });
  }
  other.stop();
  const begun = await openWindow(project.root);
  await begun.call("shape_bot", { run: "tea" });
  expect(await one.run(({ run }) => run === "tea")).toMatchObject({ key: "bot:story_bot:tea", stands: "working" });
  const told = await one.until((event) => event.type === "run" && event.counts.working === 2);
  expect(told).toMatchObject({ type: "run" });
  await one.until((event) => event.type === "run" && event.whole === true);
  project.write(
    ".waymark/journal/story_bot.jsonl",
    project.read(".waymark/journal/story_bot.jsonl").replace("yes", "no!"),
  );
  await one.until((event) => event.type === "run" && event.whole === false);
  await board.close();
  await one.ended;
});

test("a stream ends where its token is taken back, at the next beat; and there are no more of them than one person needs", async () => {
  let hear: (event: LiveEvent) => void = () => undefined;
  const listen = (listener: { hear(event: LiveEvent): void }) => {
    hear = listener.hear;
    return () => undefined;
  };
  let may = true;
  const ended = new Promise<void>((left) => {
    const { body } = liveStream({ listen }, async () => may, left);
    void body?.pipeTo(new WritableStream());
  });
  hear({ type: "beat", at: "" });
  may = false;
  hear({ type: "beat", at: "" });
  await ended;

  const board = await startBoard(makeProject().root);
  const open = await Promise.all(Array.from({ length: 24 }, () => listenTo(board)));
  expect(await board.ask("/api/live")).toMatchObject({ status: 429, data: { error: "unavailable" } });
  expect((await board.ask("/api/runs")).status).toBe(200);
  for (const { stop } of open) stop();
  await expect
    .poll(() =>
      listenTo(board).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
});

test("a page that does not read is told the newest of each run, and what waits for it stays small", async () => {
  let hear: (event: LiveEvent) => void = () => undefined;
  let left = 0;
  const live = {
    listen: (listener: { hear(event: LiveEvent): void }) => {
      hear = listener.hear;
      return () => undefined;
    },
    touch: () => undefined,
    close: () => undefined,
  };
  const answer = liveStream(
    live,
    async () => true,
    () => left++,
  );
  const row = { key: "bot:a", completed: 0 } as RunRow;
  const counts = { waits: 0, stuck: 0, working: 1, quiet: 0, finished: 0, archived: 0 };
  for (let completed = 0; completed < 5000; completed++)
    hear({ type: "run", row: { ...row, key: `bot:${completed % 2}`, completed }, counts, whole: true });
  const reader = answer.body?.getReader();
  const read = new TextDecoder().decode((await reader?.read())?.value);
  expect(read.split("\n\n").filter((text) => text !== "")).toHaveLength(2);
  expect(read).toContain('"completed":4999');
  await reader?.cancel();
  expect(left).toBe(1);
});
