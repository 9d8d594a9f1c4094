import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startPostgres } from "../scripts/postgres-server.mjs";
import { startReplica, waymark } from "../scripts/team/replica.mjs";
import { bundled, median, report, timed } from "./wire.mjs";

/**
 * Measures what grows with the number of runs on record: every list, resource and page of a team's server with 10 runs and
 * with 10,000, turn by turn in one run; then the statements of open dashboards, and how many transitions they leave.
 */
const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const isSmall = process.argv.includes("--small");
const [many, rounds] = isSmall ? [1_000, 15] : [10_000, 31]; // half of them sessions, half of them runs of a bot
const home = fileURLToPath(new URL("..", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "waymark-bench-"));
cpSync(join(home, "examples/demo/project"), root, { recursive: true });
mkdirSync(join(root, ".waymark/workflows/survey/phases/1"), { recursive: true });
writeFileSync(
  join(root, ".waymark/workflows/survey/metadata.json"),
  JSON.stringify({ name: "survey", description: "Looks at a file", total_phases: 1 }),
);
writeFileSync(join(root, ".waymark/workflows/survey/phases/1/phase.md"), "# Phase 1: Look\n\nLook at it.\n");
writeFileSync(
  join(root, ".waymark/workflows/survey/phases/1/gate-definition.yaml"),
  "evidence_schema:\n  count: {type: integer, required: true, description: how many}\n",
);
const { openDatabase, postgresStore, toLine, sessionsOf } = await bundled(
  `export { openDatabase } from "./src/stores/postgres/database.ts";
  export { postgresStore } from "./src/stores/postgres/postgres-store.ts";
  export { toLine } from "./src/stores/chain/journal-record.ts";
  export { sessionsOf } from "./src/workflow/session-id.ts";`,
  root,
);
const postgres = await startPostgres({ settings: { autovacuum: "on" } });
await postgres.start();
const database = openDatabase(postgres.url, { patience: 60_000 });
const storeOf = (project) => postgresStore({ database, project, area: async () => "" });
const env = { ...process.env, WAYMARK_STORE: postgres.url };
const tokenOf = (role, name = role) => {
  const added = ["token", "add", name, "--role", role, "--root", root, "--json"];
  return JSON.parse(execFileSync(process.execPath, [waymark, ...added], { env })).token;
};
const [agent, viewer] = [tokenOf("agent"), tokenOf("viewer")];
const walkers = ["one", "two", "three", "four"].map((name) => tokenOf("agent", name));
const servers = {
  few: await startReplica(root, env, ["--project", "few"]),
  many: await startReplica(root, env, ["--project", "many"]),
};

// Each project has so many sessions, and as many named runs; every history is a copy of one that the server recorded.
const began = await tool("few", "start_workflow", { workflow_type: "survey", target_file: "first.ts" });
await tool("few", "complete_phase", { session_id: began.session_id, phase: 1, evidence: { count: 1 } });
await tool("few", "shape_bot", { run: "first" });
await tool("few", "complete_action", { run: "first", confirmation: "yes" });
await database.run("insert into waymark.pins (project, pin, body) select 'many', pin, body from waymark.pins", []);
const patterns = {
  session: await eventsOf({ kind: "session", name: began.session_id }),
  run: await eventsOf({ kind: "bot", name: "story_bot", run: "first" }),
};
for (const [project, count] of [
  ["few", 10],
  ["many", many / 2],
])
  for (let from = 0; from < count; from += 10)
    await Promise.all(
      Array.from({ length: 10 }, async (_, at) => {
        await plant(project, { kind: "bot", name: "story_bot", run: `r${from + at}` }, patterns.run);
        const key = { type: "survey", target: `file-${from + at}.ts`, options: {} };
        const events = patterns.session.map((all) =>
          all.map((event) => (event.type === "session_began" ? { ...event, target: key.target } : event)),
        );
        await plant(project, { kind: "session", name: sessionsOf(key, []).next }, events);
      }),
    );
await database.run("analyze", []);

const rows = {
  "get_workflow_state without a session": (project) => tool(project, "get_workflow_state", {}),
  "get_workflow_state of a session": (project) => tool(project, "get_workflow_state", { session_id: sessionId(3) }),
  "starting a workflow that has a session": (project) =>
    tool(project, "start_workflow", { workflow_type: "survey", target_file: "file-3.ts" }),
  "opening an action": (project) => tool(project, "shape_bot", { run: "r2", resume: "continue" }),
  "tools/list": (project) => rpc(project, "tools/list"),
  "prompts/list": (project) => rpc(project, "prompts/list"),
  "resources/list": (project) => rpc(project, "resources/list"),
  "a resource": (project) => rpc(project, "resources/read", { uri: "waymark://story_bot/runs/r1/state" }, "r1"),
  // before the lists, whose histories are audited again in the background
  "/metrics": (project) => fetch(new URL("/metrics", servers[project].url())).then((answer) => answer.text()),
  "/api/runs": (project) => api(project, "runs"),
  "/api/inbox": (project) => api(project, "inbox"),
  "/api/audit": (project) => api(project, "audit"),
  "/api/process": (project) => api(project, "process"),
  "/api/runs/KEY": (project) => api(project, `runs/${encodeURIComponent("bot:story_bot:r1")}`),
};
for (const project of ["few", "many"]) {
  const first = await timed(() => api(project, "runs"));
  console.log(`  the first page of ${project}: ${first.toFixed(0)} ms`);
  for (let look = 0; look < 6000; look++) {
    if (JSON.parse(await api(project, "runs")).whole !== null) break; // each history is audited once
    await wait(100);
  }
}
// Lists of a project at work: a run has changed before each look.
const changing = { "/api/runs": "r4", "/api/inbox": "r5", "/api/audit": "r6", "/api/process": "r7" };
const work = (project, run) => tool(project, "shape_bot", { run, resume: "restart" });
const measured = [
  ...Object.entries(rows).map(([title, ask]) => ({ title, ask, rounds })),
  ...Object.entries(changing).map(([path, run]) => ({
    title: `${path} after a change`,
    ask: rows[path],
    rounds: Math.ceil(rounds / 3),
    before: async (project) => {
      await work(project, run);
      await wait(700); // it is heard of by then
    },
  })),
];
for (const { title, ask, rounds, before: prepare } of measured) {
  const times = { few: [], many: [] };
  for (let round = 0; round < rounds + 3; round++)
    for (const project of round % 2 === 0 ? ["few", "many"] : ["many", "few"]) {
      await prepare?.(project);
      const took = await timed(() => ask(project));
      if (round >= 3) times[project].push(took);
    }
  const [before, after] = [median(times.few), median(times.many)];
  const both = `${after.toFixed(2)} ms against ${before.toFixed(2)} ms`;
  report(`${title}: ${many.toLocaleString("en")} runs against 10`, after / before, 1.3, both);
}

// An open page asks the database once per tick, whatever is on record.
const pages = [];
await wait(isSmall ? 35_000 : 40_000); // 30 s after the last request nothing is followed
for (const project of ["few", "many"]) {
  // each server checks the schema's version (two statements) and looks for signals of others once a second
  const idle = await statementsIn(5);
  if (project === "few") report("transactions a second after the last page was closed", idle / 5, 8, `${idle / 5}`);
  const opened = await Promise.all(Array.from({ length: 5 }, () => openPage(project)));
  pages.push(...opened);
  await wait(10_000); // what changed meanwhile is read by then
  const open = await statementsIn(5);
  const [least, most] = [idle / 5, open / 5];
  const said = `${(most - least).toFixed(1)} more, ${most.toFixed(1)} in all`;
  report(`transactions a second for five more open pages, of ${project}`, most - least, 15, said);
}
const transitions = { with: [], without: [] };
for (let round = 0; round < (isSmall ? 3 : 7); round++) {
  transitions.with.push(await transitionsIn(4));
  for (const page of pages.splice(0)) page.abort();
  await wait(500);
  transitions.without.push(await transitionsIn(4));
  pages.push(...(await Promise.all(Array.from({ length: 5 }, () => openPage("many")))));
  await wait(500);
}
const [watched, alone] = [median(transitions.with), median(transitions.without)];
const rate = `${watched.toFixed(0)} a second with five dashboards, ${alone.toFixed(0)} without`;
report("transitions without a page, against those with five", alone / watched, 1 / 0.9, rate);
const memory = Number(/^process_resident_memory_bytes (\d+)/m.exec(await rows["/metrics"]("many"))?.[1] ?? 0) / 1e6;
report("memory of that server, in MB", memory, 400, `${memory.toFixed(0)} MB`);
for (const page of pages) page.abort();
for (const server of Object.values(servers)) await server.stop();
await database.close();
await postgres.dispose();
rmSync(root, { recursive: true });
process.exit();

function sessionId(number) {
  return sessionsOf({ type: "survey", target: `file-${number}.ts`, options: {} }, []).next;
}

async function eventsOf(id) {
  const found = [];
  for await (const { events } of storeOf("few").log.records(id)) found.push(events);
  return found;
}

/** Restores a history without calls. */
async function plant(project, id, all) {
  const texts = [];
  let prev = "0".repeat(64);
  for (const [at, events] of all.entries()) {
    const op = `${JSON.stringify(id)}-${at}`;
    const line = toLine({ seq: at + 1, prev, op, at: "2026-11-18T00:00:00.000Z", events });
    texts.push(line.text);
    prev = line.hash;
  }
  await storeOf(project).transfer.restore(id, texts, []);
}

async function rpc(project, method, params = {}, name = undefined, token = agent) {
  const body = { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: envelope } };
  const response = await fetch(servers[project].url(), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${token}`,
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(name === undefined && params.uri === undefined ? {} : { "mcp-name": params.uri ?? name }),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const [, data] = /^data: (\{.*)$/m.exec(text) ?? [undefined, text];
  const answer = JSON.parse(data);
  if (answer.result === undefined) throw new Error(`${method}: ${text.slice(0, 300)}`);
  return answer.result;
}

async function tool(project, name, args, token) {
  return (await rpc(project, "tools/call", { name, arguments: args }, name, token)).structuredContent;
}

async function api(project, path) {
  const url = new URL(`/api/${path}`, servers[project].url());
  const answer = await fetch(url, { headers: { authorization: `Bearer ${viewer}` } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.text();
}

/** A browser's live stream, which it reads until it is closed. */
async function openPage(project) {
  const closing = new AbortController();
  const url = new URL("/api/live", servers[project].url());
  const { body } = await fetch(url, { headers: { authorization: `Bearer ${viewer}` }, signal: closing.signal });
  void (async () => {
    for await (const _ of body);
  })().catch(() => undefined);
  return closing;
}

async function statementsIn(seconds) {
  const count = async () => {
    const [row] = await database.run("select sum(xact_commit)::text as count from pg_stat_database", []);
    return Number(row.count);
  };
  const before = await count();
  await wait(seconds * 1000);
  return (await count()) - before;
}

async function transitionsIn(seconds) {
  const until = performance.now() + seconds * 1000;
  let done = 0;
  await Promise.all(
    walkers.map(async (token, walker) => {
      const run = `walker-${walker}`;
      for (; performance.now() < until; done += 2) {
        const opened = await tool("many", "shape_bot", { run, resume: "continue" }, token);
        const isOver = opened.status === "review" || opened.status === "workflow_complete";
        if (isOver) await tool("many", "shape_bot", { run, resume: "restart" }, token);
        await tool("many", "complete_action", { run, confirmation: "yes", outputs: { answer: "yes" } }, token);
      }
    }),
  );
  return done / seconds;
}
