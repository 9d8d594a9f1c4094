import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, report, startServer, timed } from "./wire.mjs";

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const many = process.argv.includes("--small") ? 100 : 1_000;

/** A server whose bot has so many runs on record, all of them begun through it. */
async function serverWith(runs) {
  const root = mkdtempSync(join(tmpdir(), "waymark-bench-"));
  cpSync(file("../examples/demo/project"), root, { recursive: true });
  const server = startServer([file("../dist/waymark.js"), "serve", "--root", root]);
  await server.initialize();
  for (let number = 1; number <= runs; number++) await pass(server, `run-${number}`);
  return { server, root, open: [], complete: [] };
}

/** Opens and completes the next action of a run; answers how long each took. */
async function pass(server, run, resume = {}) {
  let opened;
  const open = await timed(async () => {
    opened = await server.call("shape_bot", { run, ...resume });
  });
  let completed;
  const complete = await timed(async () => {
    completed = await server.call("complete_action", { run, confirmation: "yes", outputs: { answer: "yes" } });
  });
  const statuses = [opened, completed].map(({ structuredContent }) => structuredContent.status);
  if (statuses[0] !== "started" || !/complete/.test(statuses[1])) throw new Error(`${run}: ${statuses}`);
  return { open, complete };
}

/** The same run in both, turn by turn, and neither always first. */
const [one, thousand] = [await serverWith(1), await serverWith(many)];
const rounds = 300;
for (let round = 1; round <= rounds; round++) {
  const resume = round % 5 === 0 ? { resume: "restart" } : {};
  for (const at of round % 2 === 0 ? [one, thousand] : [thousand, one]) {
    const times = await pass(at.server, "run-1", resume);
    if (round <= 100) continue; // the first calls warm both processes up
    at.open.push(times.open);
    at.complete.push(times.complete);
  }
}
const title = `with ${many.toLocaleString("en")} runs on record against 1`;
for (const kind of ["open", "complete"]) {
  const [few, much] = [median(one[kind]), median(thousand[kind])];
  report(`${kind} an action ${title}`, much / few, 1.2, `${much.toFixed(2)} ms against ${few.toFixed(2)} ms`);
}

/** A call in a run that has not been used for long, against one in the run that was used last: its files are opened first. */
const cold = [];
for (let round = 0; round < 60; round++) {
  const { open, complete } = await pass(thousand.server, `run-${2 + ((round * 61) % (many - 1))}`);
  cold.push(open + complete);
}
const warm = one.open.map((open, index) => open + one.complete[index]);
report(
  "an action of a run that has not been used for long",
  median(cold) / median(warm),
  5,
  `${median(cold).toFixed(2)} ms against ${median(warm).toFixed(2)} ms`,
);
const files = openFiles(thousand.server.pid);
if (files !== undefined) {
  const most = 450;
  const verdict = files <= most ? "within" : "OVER";
  console.log(`files held open after ${many.toLocaleString("en")} runs: ${files} (budget ${most}, ${verdict})`);
  if (verdict === "OVER" && process.argv.includes("--strict")) process.exitCode = 1;
}
await Promise.all([one, thousand].map(({ server }) => server.stop()));
for (const { root } of [one, thousand]) rmSync(root, { recursive: true });

/** How many files a process holds open, where the system tells. */
function openFiles(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return undefined;
  }
}
