import { execFile, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { startPostgres } from "./postgres-server.mjs";
import { home } from "./set-up.mjs";

const waymark = join(home, "dist/waymark.js");

/**
 * Clients call three replicas of a team's server in turn while those are killed and PostgreSQL is restarted, again and again;
 * then the primary is killed, and its synchronous standby takes over. At the end every history is read again: what was
 * acknowledged must stand there, once, in one chain. Bounded by what is acknowledged between two faults, not by time.
 */
export async function soak({ clients, faults, between, say = () => {} }) {
  const root = mkdtempSync(join(tmpdir(), "waymark-soak-"));
  cpSync(join(home, "examples/demo/project"), root, { recursive: true });
  const primary = await startPostgres({ settings: { fsync: "on" } });
  await primary.start();
  const standby = await primary.standby();
  // Only now: had the standby been copied with it, it would wait for another one when it takes over.
  await primary.restart("SIGINT", { synchronous_standby_names: "standby" });
  const store = `postgres://waymark@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`;
  const env = { ...process.env, XDG_STATE_HOME: join(root, "state"), WAYMARK_STORE: store };
  const replicas = await Promise.all([0, 1, 2].map(() => startReplica(root, env)));
  const tally = { acknowledged: new Map(), refused: 0, broken: 0, times: [] };
  let isOver = false;
  const working = Array.from({ length: clients }, (_, index) => client(index, replicas, tally, () => isOver));
  const progress = async () => {
    const before = tally.acknowledged.size;
    while (tally.acknowledged.size < before + between) await wait(20);
  };
  let killed = 0;
  let restarted = 0;
  for (let fault = 0; fault < faults; fault++) {
    await progress();
    if (fault % 2 === 0) {
      await replicas[fault % 3].restart();
      killed += 1;
    } else {
      await primary.restart(fault % 4 === 1 ? "SIGKILL" : "SIGINT");
      restarted += 1;
    }
    say(`${tally.acknowledged.size} acknowledged, ${killed} replicas killed, PostgreSQL restarted ${restarted} times`);
  }
  await progress();
  await primary.stop("SIGKILL");
  await standby.promote();
  say("the primary is dead, the standby has taken over");
  await progress();
  isOver = true;
  await Promise.all(working);
  for (const replica of replicas) await replica.stop();
  const found = await whatStands(root, { ...env, WAYMARK_STORE: standby.url });
  await Promise.all([standby.dispose(), primary.dispose()]);
  rmSync(root, { recursive: true, force: true });
  const { acknowledged, refused, broken, times } = tally;
  const sorted = times.toSorted((a, b) => a - b);
  return {
    acknowledged: acknowledged.size,
    lost: [...acknowledged.keys()].filter((mark) => !found.marks.has(mark)).length,
    doubled: [...found.marks.values()].filter((count) => count > 1).length,
    forks: found.problems.length,
    histories: found.histories,
    killed,
    restarted,
    unavailable: refused,
    broken,
    p50: Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0),
    p99: Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0),
  };
}

async function startReplica(root, env) {
  let child;
  let url;
  const start = async (at) => {
    child = spawn(process.execPath, [waymark, "serve", "--root", root, "--http", at], {
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [line] = await new Promise((resolve, reject) => {
      const lines = createInterface({ input: child.stdout });
      lines.once("line", (text) => resolve([text]));
      child.once("exit", (code) => reject(new Error(`A replica ended with ${code} at its start.`)));
    });
    url = JSON.parse(line).listening;
  };
  const stop = async (signal) => {
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await gone;
  };
  await start("127.0.0.1:0");
  return {
    url: () => url,
    stop: () => stop("SIGKILL"),
    async restart() {
      await stop("SIGKILL");
      for (let tries = 0; ; tries++)
        try {
          return await start(new URL(url).host);
        } catch (error) {
          if (tries > 50) throw error;
          await wait(100); // the store may be away just now
        }
    },
  };
}

/** One assistant: opens an action of a run of its own, completes it with a mark, and sends the same again until it is told that it counts. */
async function client(index, replicas, tally, isOver) {
  let turn = index;
  let session;
  let id = 0;
  const post = async (method, params) => {
    const url = replicas[turn++ % replicas.length].url();
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    if (session !== undefined) headers["mcp-session-id"] = session;
    const body = JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params });
    const response = await fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(30_000) });
    const text = await response.text();
    if (response.status === 404) session = undefined;
    if (!response.ok) throw new Error(`${response.status}`);
    session ??= response.headers.get("mcp-session-id") ?? undefined;
    const [, data] = /^data: (\{.*)$/m.exec(text) ?? [undefined, text];
    return JSON.parse(data).result;
  };
  const call = async (name, args) => {
    for (;;) {
      try {
        if (session === undefined) await post("initialize", hello);
        const answer = (await post("tools/call", { name, arguments: args })).structuredContent;
        if (answer?.error !== "unavailable") return answer;
        tally.refused += 1;
      } catch {
        tally.broken += 1; // the replica died under it, or is not back yet
      }
      if (isOver()) return undefined;
      await wait(50 + Math.random() * 100);
    }
  };
  const run = `client-${index}`;
  for (let number = 0; !isOver(); number++) {
    const opened = await call("shape_bot", { run, resume: "continue" });
    if (opened === undefined) return;
    if (opened.status === "review" || opened.status === "workflow_complete" || opened.error === "invalid_input")
      await call("shape_bot", { run, resume: "restart" });
    const mark = `${run}/${number}`;
    const began = performance.now();
    const done = await call("complete_action", {
      run,
      behavior: "shape",
      confirmation: "yes, done",
      outputs: { mark },
    });
    if (done?.status !== "completed" && done?.status !== "workflow_complete") continue;
    tally.acknowledged.set(mark, done.action);
    tally.times.push(performance.now() - began);
  }
}

const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "soak", version: "1" } };

/** Reads every history again: which marks stand there and how often, and what keeps a history from being one whole chain. */
async function whatStands(root, env) {
  const said = (args) =>
    promisify(execFile)(process.execPath, [waymark, ...args, "--root", root, "--json"], { env, maxBuffer: 1 << 30 })
      .catch((error) => error)
      .then(({ stdout }) => JSON.parse(stdout));
  const { desks, missing } = await said(["verify"]);
  const problems = [...missing, ...desks.flatMap(({ breaks, set_aside }) => [...breaks, ...set_aside])];
  const marks = new Map();
  const exported = await said(["export"]);
  for (const { events } of exported.desks)
    for (const { type, outputs } of events)
      if (type === "completed" && outputs?.mark !== undefined)
        marks.set(outputs.mark, (marks.get(outputs.mark) ?? 0) + 1);
  return { marks, problems, histories: desks.length };
}
