import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { wholeOr } from "../../../test/whole.ts";
import { startedExample } from "../../testing/index.ts";
import { openWindow } from "./window.testing.ts";

/** How often each window writes, is stopped and is killed. */
const writes = wholeOr(200, 80);
const stops = wholeOr(60, 20);
const kills = wholeOr(20, 8);

let folder: string;
let script: string;

/** A window in a process of its own. It appends each time a line comes in, or `count` times, and says what was recorded; with `look` it only looks. */
const source = `
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { openWindow } from "${join(import.meta.dirname, "window.testing.ts")}";
import { startedExample } from "${join(import.meta.dirname, "../../testing/example-events.ts")}";
const [projectArea, by, count] = process.argv.slice(2);
const history = openWindow(projectArea);
async function look() {
  const { seen, found, warnings } = await history.look();
  if (found.kind !== "current" && found.kind !== "behind") throw new Error("taken for " + found.kind);
  if (warnings.length > 0) throw new Error(warnings.join());
  return seen;
}
async function append(number) {
  for (;;) {
    const { status, warnings } = await history.append(await look(), [startedExample(number, by)]);
    if (warnings.length > 0) throw new Error(warnings.join());
    if (status === "recorded") return process.stdout.write(number + "\\n");
  }
}
if (by === "look") {
  process.stdin.on("end", () => process.exit(0)).resume();
  process.stdout.write("looking\\n");
  const seen = new Set();
  for (;;) {
    await look();
    for (const name of ["workflow_state", "activity_log"]) {
      const file = projectArea + "/" + name + ".json";
      // The first record may be there a moment before the first file; a file that was there once is always there.
      if (!seen.has(file) && !existsSync(file)) continue;
      seen.add(file);
      JSON.parse(readFileSync(file, "utf8"));
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
} else if (count) for (let number = 0; number < Number(count); number++) await append(number);
else {
  process.stdout.write("ready\\n");
  for await (const line of createInterface(process.stdin)) await append(Number(line));
}
`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "waymark-processes-"));
  script = join(folder, "window.mjs");
  const entry = join(folder, "window.ts");
  writeFileSync(entry, source);
  buildSync({ entryPoints: [entry], outfile: script, bundle: true, platform: "node", format: "esm" });
});
afterAll(() => rmSync(folder, { recursive: true }));

type Window = { child: ChildProcess; lines: Interface; said: string[]; ended: Promise<unknown> };

function startWindow(area: string, by: string, count = ""): Window {
  const child = spawn(process.execPath, [script, area, by, count], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(child.stdout);
  const said: string[] = [];
  lines.on("line", (line) => said.push(line));
  return { child, lines, said, ended: once(child, "close").then(([code]) => code) };
}

function freshArea(): string {
  return mkdtempSync(join(folder, "area-"));
}

async function recordedBy(area: string, by: string): Promise<readonly string[]> {
  const history = openWindow(area);
  const events = await history.events();
  history.close();
  return events.flatMap((event) => (event.by === by && event.type === "started" ? [event.step] : []));
}

function published(area: string, name: string): unknown {
  return JSON.parse(readFileSync(join(area, name), "utf8"));
}

it("processes that write at once make one history with nothing lost, and one that looks on sees nothing but whole files of ours", async () => {
  const area = freshArea();
  const onlooker = startWindow(area, "look");
  await once(onlooker.lines, "line");
  const writers = ["one", "two"].map((by) => ({ by, ...startWindow(area, by, `${writes}`) }));
  for (const { ended } of writers) expect(await ended).toBe(0);
  onlooker.child.stdin?.end();
  expect(await onlooker.ended).toBe(0);

  const expected = Array.from({ length: writes }, (_, number) => `step_${number}`);
  for (const { by } of writers) expect(await recordedBy(area, by)).toEqual(expected);
  expect(published(area, "activity_log.json")).toHaveLength(2 * writes);
  const history = openWindow(area);
  // What came too late was never answered: nothing of it is set aside.
  expect(await history.look()).toMatchObject({
    seen: 2 * writes,
    found: { kind: "current" },
    warnings: [],
    forkedRecords: 0,
  });
  history.close();
  expect(existsSync(join(area, ".waymark", "kept"))).toBe(false);
});

it("a window that is stopped at any moment and goes on later leaves no older file behind", async () => {
  const area = freshArea();
  const slow = startWindow(area, "slow");
  await once(slow.lines, "line");
  const history = openWindow(area);
  for (let round = 0; round < stops; round++) {
    const answered = once(slow.lines, "line");
    slow.child.stdin?.write(`${round}\n`);
    await new Promise((resolve) => setTimeout(resolve, (round % 20) / 10));
    slow.child.kill("SIGSTOP");
    const { seen } = await history.look();
    const { status } = await history.append(seen, [startedExample(1000 + round)]);
    expect(status).toBe("recorded");
    slow.child.kill("SIGCONT");
    await answered;
    const { state, log } = await history.views();
    expect(published(area, "workflow_state.json")).toEqual(state);
    expect(published(area, "activity_log.json")).toEqual(log);
  }
  slow.child.stdin?.end();
  expect(await slow.ended).toBe(0);
  history.close();
  expect(existsSync(join(area, ".waymark", "kept"))).toBe(false);
});

it("a process killed at any moment loses nothing that was acknowledged, and leaves both files whole", async () => {
  const area = freshArea();
  for (let round = 0; round < kills; round++) {
    const writer = startWindow(area, `round ${round}`, "100000");
    await once(writer.lines, "line");
    await new Promise((resolve) => setTimeout(resolve, round * 3));
    writer.child.kill("SIGKILL");
    await writer.ended;
    const recorded = await recordedBy(area, `round ${round}`);
    const acknowledged = writer.said.map((number) => `step_${number}`);
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(recorded.slice(0, acknowledged.length)).toEqual(acknowledged);
    for (const name of ["workflow_state.json", "activity_log.json"]) expect(() => published(area, name)).not.toThrow();
  }
});
