import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { median, report } from "./wire.mjs";

const events = process.argv.includes("--small") ? 20_000 : 200_000;
const rounds = 5;
const source = fileURLToPath(new URL("../src/stores/file/", import.meta.url));
const waymark = fileURLToPath(new URL("../dist/waymark.js", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "waymark-bench-"));
const area = join(root, "area");
const template = fileURLToPath(new URL("../templates/story-bot", import.meta.url));
const journal = join(area, ".waymark/journal/story_bot.jsonl");

/** A history as a bot writes it: five actions to a pass, each started and completed, and the two files that show it. */
async function plant() {
  const bundle = join(root, "store.mjs");
  const contents =
    'export { openWindow } from "./window.testing.ts"; export { genesisHash, toLine } from "../chain/journal-record.ts";';
  await build({
    stdin: { contents, resolveDir: source },
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "warning",
  });
  const { openWindow, genesisHash, toLine } = await import(bundle);
  mkdirSync(join(area, ".waymark/journal"), { recursive: true });
  cpSync(template, join(area, ".waymark"), { recursive: true });
  const lines = [];
  let prev = genesisHash;
  for (let number = 0; number < events; number++) {
    const line = toLine({ seq: number + 1, prev, op: `op ${number}`, events: [eventOf(number)] });
    prev = line.hash;
    lines.push(line.text);
  }
  writeFileSync(journal, `${lines.join("\n")}\n`);
  const history = openWindow(area);
  await history.look();
  history.close();
}

const steps = ["gather_context", "decide_planning_criteria", "build_knowledge", "render_output", "validate_rules"];

function eventOf(number) {
  const action = Math.floor(number / 2);
  const ref = { workflow: "discovery", pass: 1 + Math.floor(action / steps.length), attempt: 1 };
  const at = new Date(Date.UTC(2026, 0, 1, 0, 0, action)).toISOString();
  const stamp = { at, by: "bench", ...ref, step: steps[action % steps.length], successor: null };
  if (number % 2 === 0) return { type: "started", ...stamp, inputs: { note: "what the assistant was given to go on" } };
  const word = { level: "relayed", text: "yes" };
  const outputs = { summary: "what came of it, in a sentence or two" };
  return { type: "completed", ...stamp, duration: 60, word, fingerprint: "f", next: null, finished: false, outputs };
}

/** Seconds of a processor that a process of its own takes (the machine may be busy with something else), and the most memory it held, in MB. */
function measured(args) {
  const [used, preload] = [join(root, "used"), join(root, "preload.cjs")];
  const write = `require("node:fs").writeFileSync(${JSON.stringify(used)}, JSON.stringify(process.resourceUsage()))`;
  writeFileSync(preload, `process.on("exit", () => ${write})`);
  execFileSync(process.execPath, ["--require", preload, ...args], { stdio: ["ignore", "ignore", "inherit"] });
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(used, "utf8"));
  return { seconds: (userCPUTime + systemCPUTime) / 1e6, memory: maxRSS / 1024 };
}

/** The least that any proof of a chain costs: large pieces of the file, cut at the newlines; each line parsed and hashed. */
const floorScript = `
  const { openSync, readSync } = require("node:fs");
  const { hash } = require("node:crypto");
  const fd = openSync(${JSON.stringify(journal)});
  const buffer = Buffer.allocUnsafe(1 << 20);
  for (let offset = 0; ; ) {
    const bytes = buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, offset));
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      const line = bytes.subarray(start, end);
      JSON.parse(line.toString("utf8"));
      hash("sha256", line);
      start = end + 1;
    }
    if (start === 0) break;
    offset += start;
  }`;
const places = ["--root", area];
const checkpoint = join(area, ".waymark/journal/story_bot.checkpoint");

await plant();
const taken = { floor: [], verify: [], first: [], status: [] };
for (let round = 0; round < rounds; round++) {
  taken.floor.push(measured(["--eval", floorScript]));
  taken.verify.push(measured([waymark, "verify", ...places]));
  rmSync(checkpoint, { force: true });
  taken.first.push(measured([waymark, "status", ...places]));
  taken.status.push(measured([waymark, "status", ...places]));
}
const middle = (of, what) => median(of.map((one) => one[what]));
const floor = middle(taken.floor, "seconds");
for (const [title, of, budget, memoryBudget] of [
  ["verify", taken.verify, 3, 200],
  ["the first status", taken.first, 4, 400],
  ["status again", taken.status, 3, 200],
]) {
  const seconds = middle(of, "seconds");
  const memory = Math.max(...of.map((one) => one.memory));
  const detail = `${seconds.toFixed(2)} s against ${floor.toFixed(2)} s to read, parse and hash each line; ${memory.toFixed(0)} MB (budget ${memoryBudget} MB)`;
  report(`${title} of ${events.toLocaleString("en")} events`, seconds / floor, budget, detail);
  if (memory > memoryBudget && process.argv.includes("--strict")) process.exitCode = 1;
}
if (process.env.KEEP) console.log(root);
else rmSync(root, { recursive: true });
