import { expect, it } from "vitest";
import { showProgress } from "./progress.ts";

function terminal(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text) };
}

const words = (done: number, total: number): string => `${done} of ${total}`;

it("a task shorter than a second shows nothing", () => {
  const shown = terminal(true);
  let time = 0;
  const progress = showProgress(words, false, shown, () => time);
  for (const done of [1, 2, 3]) {
    time += 300;
    progress?.(done, 3);
  }
  expect(shown.written).toEqual([]);
});

it("a longer task shows one line, updated at most ten times a second and removed at the end", () => {
  const shown = terminal(true);
  let time = 0;
  const progress = showProgress(words, false, shown, () => time);
  for (let done = 1; done <= 1300; done++) {
    time += 1;
    progress?.(done, 1300);
  }
  expect(shown.written).toEqual(["1000", "1100", "1200"].map((done) => `\r\x1b[K${done} of 1300`).concat("\r\x1b[K"));
});

it("nothing is shown without a terminal or with --json", () => {
  expect(showProgress(words, false, terminal(false))).toBeUndefined();
  const { isTTY } = process.stdout;
  process.stdout.isTTY = false;
  expect(showProgress(words, true, terminal(true))).toBeUndefined();
  process.stdout.isTTY = isTTY;
});
