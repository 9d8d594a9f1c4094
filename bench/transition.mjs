import { execFileSync } from "node:child_process";
import { closeSync, fdatasyncSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { median, report, timed } from "./wire.mjs";

const source = fileURLToPath(new URL("../src/stores/file/", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "waymark-bench-"));
const bundle = join(root, "store.mjs");
await build({
  stdin: {
    contents:
      'export { openWindow } from "./window.testing.ts"; export { genesisHash, toLine } from "../chain/journal-record.ts";',
    resolveDir: source,
  },
  outfile: bundle,
  bundle: true,
  platform: "node",
  format: "esm",
  logLevel: "warning",
});
const { openWindow, genesisHash, toLine } = await import(bundle);

const steps = ["gather_context", "decide_planning_criteria", "build_knowledge", "render_output", "validate_rules"];

/** The records of one action, the `number`th that was ever done: five to a pass, as a bot does them. */
function* action(number) {
  const step = steps[number % steps.length];
  const ref = { workflow: "discovery", pass: 1 + Math.floor(number / steps.length), step, attempt: 1 };
  const at = new Date(Date.UTC(2026, 0, 1, 0, 0, number)).toISOString();
  const stamp = { at, by: "bench", ...ref, successor: null };
  yield { type: "started", ...stamp, inputs: { note: "what the assistant was given to go on" } };
  const word = { level: "relayed", text: "yes" };
  const outputs = { summary: "what came of it, in a sentence or two" };
  yield { type: "completed", ...stamp, duration: 60, word, fingerprint: "f", next: null, finished: false, outputs };
}

/** A project area of its own in which so many actions have been completed. */
function areaWith(completed) {
  const projectArea = mkdtempSync(join(root, "area-"));
  mkdirSync(join(projectArea, ".waymark/journal"), { recursive: true });
  const lines = [];
  let prev = genesisHash;
  for (let number = 0; number < completed; number++) {
    for (const event of action(number)) {
      const line = toLine({ seq: lines.length + 1, prev, op: `op ${lines.length}`, events: [event] });
      prev = line.hash;
      lines.push(line.text);
    }
  }
  writeFileSync(join(projectArea, ".waymark/journal/story_bot.jsonl"), `${lines.join("\n")}\n`);
  return projectArea;
}

/** The pace of real work, in milliseconds: no assistant calls faster, and a disk that is kept busy would make the floor look high. */
const betweenCalls = 270;

/** A stream with so many completed actions; each call makes one more transition. */
async function stream(completed) {
  const history = openWindow(areaWith(completed));
  let number = completed;
  let events = [...action(number)];
  const next = async () => {
    const event = events.shift();
    if (events.length === 0) events = [...action(++number)];
    const { seen } = await history.look();
    const { status, warnings } = await history.append(seen, [event]);
    if (status !== "recorded" || warnings.length > 0) throw new Error(`${status}: ${warnings.join(" ")}`);
  };
  for (let turn = 0; turn < 4; turn++) await next(); // each of the two files has its copies
  return { completed, next, times: [] };
}

/** The least that any durable history costs: 300 bytes added to a file, and synced. */
const floorFile = openSync(join(root, "floor"), "a");
const bytes = Buffer.alloc(300, "x");
const floor = async () => {
  writeSync(floorFile, bytes);
  fdatasyncSync(floorFile);
};

const budgets = new Map([
  [10, 2.5],
  [1_000, 2.5],
  [10_000, 2.5],
  [50_000, 2.5],
]);
const sizes = [...budgets.keys()].filter((size) => size < 50_000 || !process.argv.includes("--small"));
const pause = () => new Promise((resolve) => setTimeout(resolve, betweenCalls));
const warm = await stream(0);
for (let round = 0; round < 500; round++) await warm.next();
/** Those that write megabytes are measured apart: the disk is still busy with them when the next has its turn. */
const short = sizes.filter((size) => size <= 1_000);
for (const group of [short, ...sizes.filter((size) => size > 1_000).map((size) => [size])]) {
  const streams = [];
  for (const completed of group) streams.push(await stream(completed));
  const floors = [];
  for (let round = 0; round < 60; round++) {
    await pause();
    floors.push(await timed(floor));
    const turn = round % streams.length; // none of them is always the first after the pause
    for (const { next, times } of [...streams.slice(turn), ...streams.slice(0, turn)]) times.push(await timed(next));
  }
  for (const { completed, times } of streams) {
    const detail = `${median(times).toFixed(2)} ms against ${median(floors).toFixed(2)} ms`;
    report(
      `a transition with ${completed.toLocaleString("en")} completed actions (${(2 * completed).toLocaleString("en")} events)`,
      median(times) / median(floors),
      budgets.get(completed),
      detail,
    );
  }
}
closeSync(floorFile);

/** Opening a long history whose files exist: first without anything saved, then again with nothing changed. */
const long = areaWith(50_000);
const saved = join(long, ".waymark/journal/story_bot.checkpoint");
/** In a process of its own, as a window or a command does it; answers how long the first look took, in milliseconds. */
function openLong() {
  const script = `
    const { openWindow } = await import(${JSON.stringify(bundle)});
    const history = openWindow(${JSON.stringify(long)});
    const start = performance.now();
    await history.look();
    console.log(performance.now() - start);
    history.close();`;
  return Number(execFileSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" }));
}
openLong();
const openings = { first: [], again: [] };
for (let round = 0; round < 3; round++) {
  rmSync(saved);
  openings.first.push(openLong());
  openings.again.push(openLong(), openLong());
}
for (const [title, times, budget] of [
  ["opening 100,000 events with nothing saved", openings.first, 1000],
  ["opening 100,000 events again", openings.again, 100],
]) {
  const verdict = median(times) <= budget ? "within" : "OVER";
  console.log(`${title}: ${median(times).toFixed(0)} ms (budget ${budget} ms, ${verdict})`);
  if (verdict === "OVER" && process.argv.includes("--strict")) process.exitCode = 1;
}
rmSync(root, { recursive: true });
