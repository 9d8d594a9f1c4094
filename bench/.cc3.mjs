import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, report, startServer, timed } from "./wire.mjs";

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const root = mkdtempSync(join(tmpdir(), "waymark-bench-"));
cpSync(file("../examples/demo/project"), root, { recursive: true });

/**
 * Opening and completing an action at the size of real work (up to 300 completed actions), against a tool call that does nothing, turn by turn in one run.
 */
const bare = startServer([file("bare-server.mjs")]);
const ours = startServer([process.env.DIST, "serve", "--root", root]);
await bare.initialize();
await ours.initialize();

const times = { noop: [], open: [], complete: [] };
for (let round = 0; round < 90; round++) {
  await new Promise((r) => setTimeout(r, 270)); const noop = await timed(() => bare.call("noop"));
  let opened;
  const open = await timed(async () => {
    opened = await ours.call("shape_bot", round % 5 === 0 && round > 0 ? { resume: "restart" } : {});
  });
  let completed;
  const complete = await timed(async () => {
    completed = await ours.call("complete_action", { confirmation: "yes" });
  });
  const isRight = opened.structuredContent.status === "started" && /complete/.test(completed.structuredContent.status);
  if (!isRight)
    throw new Error(`round ${round}: ${JSON.stringify([opened.structuredContent, completed.structuredContent])}`);
  if (round < 30) continue; // the first calls warm both processes up
  times.noop.push(noop);
  times.open.push(open);
  times.complete.push(complete);
}
await Promise.all([bare.stop(), ours.stop()]);
rmSync(root, { recursive: true });

const floor = median(times.noop);
for (const kind of ["open", "complete"]) {
  report(
    `${kind} an action`,
    median(times[kind]) / floor,
    3,
    `${median(times[kind]).toFixed(2)} ms against ${floor.toFixed(2)} ms`,
  );
}
