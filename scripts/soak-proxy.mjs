import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { startPostgres } from "./postgres-server.mjs";
import { home } from "./set-up.mjs";
import { freePort, startNginx } from "./team/nginx.mjs";
import { startReplica, waymark } from "./team/replica.mjs";

/**
 * Assistants with the official client, in both eras, work on bots, phases and items behind a real nginx with the settings of
 * `deploy/`, while pages are open: in turn every server is restarted as an operator would, or one is paused and continued. At
 * the end every history is read again. Bounded by what is acknowledged between two rounds.
 */
export async function soakBehindProxy({ nginx, clients, rounds, between, say = () => {} }) {
  const root = mkdtempSync(join(tmpdir(), "waymark-proxy-"));
  cpSync(join(home, "examples/demo/project"), root, { recursive: true });
  mkdirSync(join(root, ".waymark/workflows"), { recursive: true });
  for (const [name, text] of Object.entries(workflows))
    writeFileSync(join(root, `.waymark/workflows/${name}.md`), text);
  const postgres = await startPostgres({});
  await postgres.start();
  const env = { ...process.env, XDG_STATE_HOME: join(root, "state"), WAYMARK_STORE: postgres.url };
  const tokenOf = (name, role) => {
    const added = ["token", "add", name, "--role", role, "--root", root, "--json"];
    return JSON.parse(execFileSync(process.execPath, [waymark, ...added], { env })).token;
  };
  const port = await freePort();
  const known = ["--public-url", `http://127.0.0.1:${port}`];
  const replicas = await Promise.all([0, 1, 2].map(() => startReplica(root, env, known)));
  const proxy = await startNginx(
    nginx,
    port,
    replicas.map((one) => one.url()),
  );
  const tally = { acknowledged: new Map(), again: 0, unexpected: [], pages: 0, doing: new Map(), isPaused: false };
  let isOver = false;
  const agents = Array.from({ length: clients }, (_, index) => tokenOf(`agent-${index}`, "agent"));
  const viewer = tokenOf("viewer", "viewer");
  const working = agents.map((token, index) => work(`c${index}`, index, proxy.origin, token, tally, () => isOver));
  const looking = [0, 1].map(() => look(proxy.origin, viewer, tally, () => isOver));
  /** Waits for the next acknowledged calls; no server is paused meanwhile, so there is no excuse for none. */
  const progress = async () => {
    const until = tally.acknowledged.size + between;
    let [seen, at] = [tally.acknowledged.size, performance.now()];
    while (tally.acknowledged.size < until) {
      await wait(20);
      if (tally.acknowledged.size > seen) [seen, at] = [tally.acknowledged.size, performance.now()];
      else if (performance.now() - at > 2 * hangMs) return void tally.unexpected.push(`It stands still: ${doing()}`);
    }
  };
  const doing = () => [...tally.doing].map(([who, what]) => `${who} ${what}`).join(", ");
  const figures = { restarted: 0, paused: 0 };
  const began = performance.now();
  for (let round = 0; round < rounds; round++) {
    await progress();
    if (round % 2 === 0)
      for (const replica of replicas) {
        await replica.stop("SIGTERM");
        await replica.start();
        figures.restarted += 1;
      }
    else {
      const replica = replicas[(round >> 1) % 3];
      process.kill(replica.pid(), "SIGSTOP");
      tally.isPaused = true;
      await wait(pausedMs); // by time, since a client may wait for the paused server without a limit of its own
      tally.isPaused = false;
      process.kill(replica.pid(), "SIGCONT");
      figures.paused += 1;
    }
    say(`${tally.acknowledged.size} acknowledged, ${figures.restarted} restarts, ${figures.paused} pauses`);
  }
  await progress();
  isOver = true;
  const ended = await Promise.all(
    [...working, ...looking].map((one) =>
      Promise.race([one.then(() => true), wait(2 * hangMs, false, { ref: false })]),
    ),
  );
  if (ended.includes(false)) tally.unexpected.push(`It does not end: ${doing() || "a page"}`);
  const seconds = Math.round((performance.now() - began) / 1000);
  await proxy.stop();
  for (const replica of replicas) await replica.stop();
  const { marks, problems } = await readMarks(root, env);
  await postgres.dispose();
  rmSync(root, { recursive: true, force: true });
  const all = [...tally.acknowledged.keys()];
  return {
    acknowledged: all.length,
    lost: all.filter((mark) => !marks.has(mark)).length,
    doubled: [...marks.values()].filter((steps) => steps.length > 1).length,
    misplaced: [...marks].filter(([mark, steps]) => steps.some((step) => !mark.endsWith(`@${step}`))).length,
    problems: problems.length,
    unexpected: [...new Set(tally.unexpected)],
    again: tally.again,
    pages: tally.pages,
    ...figures,
    seconds,
  };
}

/** The milliseconds that a client waits for a call it sends while a server is paused. */
const patienceMs = 5000;

/** A call that is sent while none is paused is waited for so long, pause or not: one that is not answered then is our fault. */
const hangMs = 30_000;

/** Longer than a client waits for a call, which it then sends again while the first one is still on its way. */
const pausedMs = 8000;

const evidence = "```yaml gate\nevidence_schema:\n  count: {type: integer, required: true}\n```\n";
const workflows = {
  survey: `# Survey\n\n## Phase 1: Look\n\nLook.\n\n${evidence}\n## Phase 2: Write\n\nWrite.\n\n${evidence}`,
  part: `# One part\n\n## Phase 1: Do\n\nDo it.\n\n${evidence}`,
  parts:
    "# Parts\n\n## Phase 1: Each\n\nEach part.\n\n```yaml gate\nfor_each: { in: [one, two], parallel: 2 }\nworkflow: part\nevidence_schema:\n  count: {type: integer, required: true}\n```\n",
};

/** One assistant: a bot's run, sessions or items, again and again; each completion is sent until it is told that it counts. */
async function work(who, index, origin, token, tally, isOver) {
  const era = index % 2 === 0 ? {} : { versionNegotiation: { mode: { pin: "2026-07-28" } } };
  let client;
  const patience = () => ({ timeout: tally.isPaused ? patienceMs : 2 * hangMs });
  const call = async (name, args) => {
    for (;;) {
      try {
        tally.doing.set(who, `connects for ${name}`);
        client ??= await connected(origin, token, era, patience());
        tally.doing.set(who, `calls ${name}`);
        const { structuredContent: answer } = await within(client.callTool({ name, arguments: args }, patience()));
        if (answer?.error === undefined || answer.error === "incomplete_items") return answer;
        if (answer.error !== "unavailable") {
          tally.unexpected.push(`${name}: ${answer.error}: ${String(answer.message).slice(0, 200)}`);
          return answer;
        }
      } catch (fault) {
        if (fault instanceof Hang) tally.unexpected.push(`${who} ${tally.doing.get(who)}: ${fault.message}`);
        const old = client;
        client = undefined;
        void old?.close().catch(() => undefined);
      }
      tally.again += 1;
      if (isOver()) return undefined;
      await wait(50 + Math.random() * 100);
    }
  };
  const complete = async (name, args, step, mark) => {
    const named = `${mark}@${step}`;
    const done = await call(name, { ...args, outputs: { mark: named } });
    if (done !== undefined && done.error === undefined) tally.acknowledged.set(named, true);
    return done;
  };
  for (let number = 0; !isOver(); number++) {
    const mark = `${who}/${number}`;
    if (index % 3 === 0) {
      let opened = await call("shape_bot", { run: who, resume: "continue" });
      if (opened?.status === "review" || opened?.status === "workflow_complete")
        opened = await call("shape_bot", { run: who, resume: "restart" });
      if (opened?.attempt === undefined) continue;
      const args = { run: who, attempt: opened.attempt, confirmation: "yes" };
      await complete("complete_action", args, opened.action, mark);
    } else if (index % 3 === 1) {
      let shown = await call("start_workflow", { workflow_type: "survey", target_file: mark });
      const session_id = shown?.session_id;
      for (const phase of [1, 2]) {
        if (session_id === undefined || shown?.attempt === undefined || isOver()) break;
        const args = { session_id, phase, attempt: shown.attempt, evidence: { count: 1 } };
        shown = await complete("complete_phase", args, phase, mark);
      }
    } else {
      const begun = await call("start_workflow", { workflow_type: "parts", target_file: mark });
      const parent = begun?.session_id;
      for (const item of parent === undefined ? [] : ["one", "two"]) {
        if (isOver()) break;
        const { session_id, attempt } = (await call("start_workflow", { session_id: parent, item })) ?? {};
        if (session_id === undefined || attempt === undefined || isOver()) continue;
        const args = { session_id, phase: 1, attempt, evidence: { count: 1 } };
        await complete("complete_phase", args, 1, `${mark}/${item}`);
      }
      if (begun?.attempt === undefined || isOver()) continue;
      await complete(
        "complete_phase",
        { session_id: parent, phase: 1, attempt: begun.attempt, evidence: { count: 1 } },
        1,
        mark,
      );
    }
  }
  tally.doing.delete(who);
  void client?.close().catch(() => undefined);
}

class Hang extends Error {}

/**
 * Tells what hangs. The official client limits what it asks, but not the notification that ends its connecting: while its server is
 * paused, `connect` waits whatever its `timeout` is, and so did this soak while it paused a server until others had made progress.
 */
function within(work) {
  const late = wait(hangMs, undefined, { ref: false });
  return Promise.race([work, late.then(() => Promise.reject(new Hang(`nothing within ${hangMs / 1000} s`)))]);
}

async function connected(origin, token, era, patience) {
  const client = new Client({ name: "soak", version: "1" }, { capabilities: {}, ...era });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit });
  try {
    await within(client.connect(transport, patience));
    return client;
  } catch (fault) {
    void client.close().catch(() => undefined); // it would listen on otherwise
    throw fault;
  }
}

/**
 * A person's page: its live stream, and the list whenever something changed. The limit is raced, because reading a body was seen to
 * wait on for 45 s after the signal of its fetch had aborted (Node 20.20) while the stream's server was paused.
 */
async function look(origin, token, tally, isOver) {
  const headers = { authorization: `Bearer ${token}` };
  while (!isOver()) {
    const signal = AbortSignal.timeout(4000);
    const late = once(signal, "abort").then(() => ({ done: true }));
    let reader;
    try {
      const { body } = await fetch(`${origin}/api/live`, { headers, signal });
      reader = body.getReader();
      while (!(await Promise.race([reader.read(), late])).done) {
        const listed = await fetch(`${origin}/api/runs`, { headers, signal });
        if (listed.ok) tally.pages += 1;
        await listed.arrayBuffer();
        await wait(300);
        if (isOver()) break;
      }
    } catch {
      await wait(100);
    }
    void reader?.cancel().catch(() => undefined);
  }
}

/** The step or phase that each mark was recorded for, as often as it was, and what breaks a chain. */
async function readMarks(root, env) {
  const said = (args) =>
    promisify(execFile)(process.execPath, [waymark, ...args, "--root", root, "--json"], { env, maxBuffer: 1 << 30 })
      .catch((error) => error)
      .then(({ stdout }) => JSON.parse(stdout));
  const { problems } = await said(["verify"]);
  const marks = new Map();
  const { desks } = await said(["export"]);
  for (const { events } of desks)
    for (const { type, outputs, step } of events)
      if (type === "completed" && outputs?.mark !== undefined)
        marks.set(outputs.mark, [...(marks.get(outputs.mark) ?? []), step]);
  return { marks, problems };
}
