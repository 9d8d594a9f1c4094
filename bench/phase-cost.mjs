import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { evidenceFor, plantPhases } from "./phases.mjs";
import { reportCalls, startServer, timed } from "./wire.mjs";

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const root = mkdtempSync(join(tmpdir(), "waymark-bench-"));
cpSync(file("../examples/demo/project"), root, { recursive: true });
const phases = 8;
plantPhases(root, phases);

/**
 * Completing a phase of an eight-phase workflow, against a tool call that does nothing, turn by turn in one run; a new
 * session every eight rounds. Reading the current phase is reported beside it.
 */
const bare = startServer([file("bare-server.mjs")]);
const ours = startServer([file("../dist/waymark.js"), "serve", "--root", root]);
await bare.initialize();
await ours.initialize();

const times = { noop: [], read: [], complete: [] };
let session;
for (let round = 0; round < 320; round++) {
  const phase = (round % phases) + 1;
  if (phase === 1) {
    const started = await ours.call("start_workflow", { workflow_type: "bench", target_file: `file-${round}.ts` });
    session = started.structuredContent.session_id;
  }
  const noop = await timed(() => bare.call("noop"));
  const read = await timed(() => ours.call("get_phase_content", { session_id: session }));
  let completed;
  const complete = await timed(async () => {
    completed = await ours.call("complete_phase", { session_id: session, phase, evidence: evidenceFor(phase) });
  });
  if (completed.structuredContent.checkpoint_passed !== true)
    throw new Error(`round ${round}: ${JSON.stringify(completed.structuredContent)}`);
  if (round < 120) continue; // the first calls warm both processes up
  times.noop.push(noop);
  times.read.push(read);
  times.complete.push(complete);
}
await Promise.all([bare.stop(), ours.stop()]);
rmSync(root, { recursive: true });

reportCalls("complete a phase", times.complete, times.noop, 3);
reportCalls("read a phase", times.read, times.noop, 3);
