import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startPostgres } from "../scripts/postgres-server.mjs";
import { median, startServer, timed } from "./wire.mjs";

/*
 * What a call costs in a session of 500 items and in one of 5, turn by turn in one run: opening an item, completing it and reading
 * the parent. The ceiling is 1.2 times, on files and on PostgreSQL.
 */
const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const root = mkdtempSync(join(tmpdir(), "waymark-bench-"));
const write = (path, text) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
write(".waymark/workflows/one.md", "# One\n\n## Phase 1: Do\n\n- [ ] `done`: it is done\n");
const gate = 'for_each: { file: "{{inputs.tasks}}", parallel: 2, after: depends_on }\nworkflow: one';
write(
  ".waymark/workflows/each.md",
  `---\ninputs:\n  tasks: { type: string, required: true }\n---\n# Each\n\n## Phase 1: Build\n\n\`\`\`yaml gate\n${gate}\n\`\`\`\n`,
);
const rounds = 200;
const sizes = { few: 5, many: 500 };
for (let round = 0; round <= rounds / (sizes.few - 1); round++) write(`few-${round}.md`, listOf(sizes.few));
write("many.md", listOf(sizes.many));

function listOf(count) {
  return Array.from(
    { length: count },
    (_, at) => `- [ ] T${String(at + 1).padStart(3, "0")} Task number ${at + 1}`,
  ).join("\n");
}

let isOver = false;
await compare("files", []);
const postgres = await startPostgres({ settings: { fsync: "on" } });
await postgres.start();
await compare("PostgreSQL", ["--store", postgres.url]);
await postgres.dispose();
rmSync(root, { recursive: true });
if (isOver) process.exitCode = 1;

/** Walks both, turn by turn, and reports each kind of call. */
async function compare(name, store) {
  const server = startServer([file("../dist/waymark.js"), "serve", "--root", root, ...store]);
  await server.initialize();
  const call = async (tool, args) => (await server.call(tool, args)).structuredContent;
  const start = async (tasks) =>
    (await call("start_workflow", { workflow_type: "each", inputs: { tasks } })).session_id;

  const many = await start("many.md");
  let few = await start("few-0.md");
  const at = { few: 0, many: 0 };
  const times = { few: { open: [], complete: [], read: [] }, many: { open: [], complete: [], read: [] } };
  for (let round = 0; round < rounds; round++)
    for (const size of round % 2 === 0 ? ["few", "many"] : ["many", "few"]) {
      if (size === "few" && round > 0 && round % (sizes.few - 1) === 0) {
        few = await start(`few-${round / (sizes.few - 1)}.md`);
        at.few = 0;
      }
      const session = size === "few" ? few : many;
      at[size] += 1;
      const item = `T${String(at[size]).padStart(3, "0")}`;
      let started;
      const opened = await timed(async () => {
        started = await call("start_workflow", { session_id: session, item });
      });
      if (started.error !== undefined) throw new Error(JSON.stringify(started));
      const completed = await timed(() =>
        call("complete_phase", { session_id: started.session_id, phase: 1, evidence: { done: true } }),
      );
      const read = await timed(() => call("get_phase_content", { session_id: session }));
      if (round < 16) continue; // the first calls warm the process up
      times[size].open.push(opened);
      times[size].complete.push(completed);
      times[size].read.push(read);
    }
  await server.stop();
  for (const kind of ["open", "complete", "read"]) {
    const [small, large] = [median(times.few[kind]), median(times.many[kind])];
    const ratio = large / small;
    isOver ||= ratio > 1.2;
    process.stdout.write(
      `${name}, ${kind} an item: ${large.toFixed(1)} ms of ${sizes.many}, ${small.toFixed(1)} ms of ${sizes.few}: ${ratio.toFixed(2)} (at most 1.2)\n`,
    );
  }
}
