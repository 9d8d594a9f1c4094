import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const file = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The dashboard of a project in a process of its own, and a way to ask it. */
export async function startDashboard(root) {
  const args = [file("../dist/waymark.js"), "dashboard", "--root", root, "--json", "--no-open", "--port", "0"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await new Promise((done) =>
    createInterface({ input: child.stdout }).once("line", (...all) => done(all)),
  );
  const url = new URL(JSON.parse(line).url);
  const headers = { authorization: `Bearer ${url.hash.slice(1)}` };
  const ask = async (path) => {
    const answer = await fetch(`${url.origin}/api/${path}`, { headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer.text();
  };
  const stop = () =>
    new Promise((done) => {
      child.once("close", done);
      child.kill("SIGTERM");
    });
  return { url: url.href, ask, stop };
}

/** The name of the run with the long history. */
export const longRun = "long";

/**
 * A project for the dashboard to show: so many runs that wait, are stuck, work, are quiet or finished, and one whose history is long.
 * The histories are written as the store writes them, record by record. Returns its folder.
 */
export async function plantRuns({ runs = 500, events = 20_000, now = Date.now() } = {}) {
  const { emptyChain, toLine } = await import(file("../dist/index.js"));
  const root = mkdtempSync(join(tmpdir(), "waymark-dashboard-"));
  const folder = join(root, ".waymark/journal/runs/story_bot");
  cpSync(file("../templates/story-bot"), join(root, ".waymark"), { recursive: true });
  mkdirSync(folder, { recursive: true });
  const write = (run, all) => {
    let prev = emptyChain().head;
    const lines = all.map((event, at) => {
      const line = toLine({ seq: at + 1, prev, op: `${run} ${at}`, events: [event] });
      prev = line.hash;
      return line.text;
    });
    writeFileSync(join(folder, `${run}.jsonl`), `${lines.join("\n")}\n`);
  };
  for (let number = 0; number < runs - 1; number++) write(`story-${number}`, shortHistory(number, now));
  write(longRun, longHistory(events, now));
  return { root, key: `bot:story_bot:${longRun}` };
}

const behaviors = ["shape", "prioritization", "discovery", "exploration", "scenarios", "tests"];
const steps = ["gather_context", "decide_planning_criteria", "build_knowledge", "render_output", "validate_rules"];
const clients = ["claude-code 2.1.4", "codex 0.77", "gemini-cli 1.3"];
const day = 24 * 3600 * 1000;

/** A writer of events, each some seconds after the one before it. */
function telling(from, client) {
  const all = [];
  let time = from;
  const say = (seconds, event) => {
    time += seconds * 1000;
    all.push({ at: new Date(time).toISOString(), by: "bench", client, ...event });
  };
  const refAt = (workflow, pass, step) => ({ workflow, pass, step, attempt: 1 });
  return {
    all,
    start: (ref, after = 5) => say(after, { type: "started", ...ref, successor: null, gated: true }),
    refuse: (ref, field, after = 40) =>
      say(after, {
        type: "refused",
        ...ref,
        code: "incomplete_checkpoint",
        missing: [{ field, kind: "required", text: `${field} (required: how many there are)` }],
        evidence: { summary: `Looked at it from all sides, try at ${time}` },
      }),
    wait: (ref, after = 30) =>
      say(after, {
        type: "handed_in",
        ...ref,
        digest: "d".repeat(64),
        evidence: { summary: "What was done, and why it is enough.", stories: 7, increments: 3 },
        outputs: { summary: "what came of it, in a sentence or two" },
      }),
    complete: (ref, finished, after = 90) =>
      say(after, {
        type: "completed",
        ...ref,
        duration: after,
        word: { level: "relayed", text: "yes, go on" },
        fingerprint: "f",
        successor: null,
        next: null,
        finished,
        outputs: { summary: "what came of it, in a sentence or two" },
        evidence: { summary: "What was done, and why it is enough.", stories: 7 },
      }),
    rest: (seconds) => (time += seconds * 1000),
    refAt,
  };
}

/** Some behaviors walked, and the last one left as waiting, stuck, at work, quiet or finished. */
function shortHistory(number, now) {
  const kind = ["waits", "stuck", "working", "quiet", "finished"][number % 5];
  const age = kind === "quiet" || kind === "finished" ? day * (1 + (number % 20)) : 3600_000 * (1 + (number % 6));
  const story = telling(now - age - 3600_000 * 2, clients[number % clients.length]);
  const walked = kind === "finished" ? behaviors.length : number % 4;
  for (const workflow of behaviors.slice(0, walked))
    for (const [at, step] of steps.entries()) {
      const ref = story.refAt(workflow, 1, step);
      story.start(ref);
      if ((number + at) % 4 === 0) story.refuse(ref, "stories");
      story.complete(ref, at === steps.length - 1);
    }
  if (kind === "finished") return story.all;
  const ref = story.refAt(behaviors[walked], 1, steps[0]);
  story.start(ref);
  if (kind === "stuck") for (const field of ["stories", "stories"]) story.refuse(ref, field);
  if (kind === "waits") story.wait(ref);
  return story.all;
}

/** Many passes through one behavior, with refusals, waits and nights in which nothing happens. */
function longHistory(events, now) {
  const story = telling(now - 200 * day, clients[0]);
  for (let pass = 1; story.all.length < events - 20; pass++) {
    for (const [at, step] of steps.entries()) {
      const ref = story.refAt("discovery", pass, step);
      story.start(ref);
      if ((pass + at) % 3 === 0) story.refuse(ref, "stories");
      if ((pass + at) % 5 === 0) {
        story.wait(ref);
        story.rest(1800);
      }
      story.complete(ref, at === steps.length - 1);
    }
    story.rest(pass % 8 === 0 ? 14 * 3600 : 60);
  }
  for (let left = events - story.all.length; left > 0; left--) story.start(story.refAt("tests", 1, steps[0]));
  return story.all;
}
