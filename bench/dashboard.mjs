import { rmSync } from "node:fs";
import { plantRuns, startDashboard } from "./dashboard-data.mjs";
import { median, report, timed } from "./wire.mjs";

const isSmall = process.argv.includes("--small");
const planted = await plantRuns(isSmall ? { runs: 100, events: 4000 } : {});

/** The first that looks at a history saves what it adds up to, as a server that writes one does; a later one finds that. */
const first = await startDashboard(planted.root);
await first.ask("runs");
await first.stop();
const board = await startDashboard(planted.root);
const cold = await timed(() => board.ask("runs"));
report("the first list of a new process, in seconds", cold / 1000, 5, `${(cold / 1000).toFixed(1)} s`);
for (;;) {
  if (JSON.parse(await board.ask("runs")).whole !== null) break; // every history has been audited once
  await new Promise((done) => setTimeout(done, 50));
}

const run = `runs/${encodeURIComponent(planted.key)}`;
const most = {
  runs: [150, 400],
  inbox: [150, 100],
  audit: [150, 200],
  process: [300, 100],
  [run]: [500, 1500],
  [`${run}/records?before=10000&count=200`]: [150, 100],
};
for (const [path, [milliseconds, kilobytes]] of Object.entries(most)) {
  const times = [];
  let bytes = 0;
  for (let round = 0; round < 11; round++)
    times.push(await timed(async () => (bytes = Buffer.byteLength(await board.ask(path)))));
  const so = median(times.slice(1));
  const what = path.replace(run, "one run of 20,000 events");
  report(`${what}, in milliseconds`, so, milliseconds, `${so.toFixed(0)} ms`);
  report(`${what}, in kilobytes`, bytes / 1000, kilobytes, `${(bytes / 1000).toFixed(0)} KB`);
}
await board.stop();
rmSync(planted.root, { recursive: true, force: true });
