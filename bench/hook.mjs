import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { home } from "../scripts/set-up.mjs";

/** Measures a hook beyond starting node, with a long history behind the open step: at most 150 ms, p50. */
const EVENTS = Number(process.env.WAYMARK_BENCH_EVENTS ?? 20_000);
const ROUNDS = 25;
const waymark = join(home, "dist/waymark.js");
const root = mkdtempSync(join(tmpdir(), "waymark-hook-"));
const env = { ...process.env, XDG_STATE_HOME: join(root, "state") };

try {
  const action = { name: "work", workflow: true, order: 1, next_action: null, auto_progress: true };
  for (const [file, value] of [
    [".waymark/base_actions/work/action_config.json", action],
    [".waymark/bots/bench_bot/bot_config.json", { name: "bench_bot", behaviors: ["shape"] }],
  ]) {
    mkdirSync(join(root, file, ".."), { recursive: true });
    writeFileSync(join(root, file), JSON.stringify(value));
  }
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [waymark, "serve", "--root", root], env }),
  );
  const call = (name, args = {}) => client.callTool({ name, arguments: args });
  for (let count = 0; count < EVENTS; count += 2) {
    await call("bench_bot", count === 0 ? {} : { resume: "restart" });
    await call("complete_action");
  }
  await call("bench_bot", { resume: "restart" });
  await client.close();
  const lines = readFileSync(join(root, ".waymark/journal/bench_bot.jsonl"), "utf8").split("\n").length - 1;
  const start = JSON.stringify({ session_id: "s", cwd: root, source: "startup" });
  const tool = (name, input) => JSON.stringify({ session_id: "w", cwd: root, tool_name: name, tool_input: input });
  await timed([waymark, "hook", "claude", "PreToolUse"], tool("mcp__waymark__bench_bot", {}));
  const hooks = [
    ["a start", "SessionStart", start],
    ["an edit", "PreToolUse", tool("Write", { file_path: join(root, "src/a.js") })],
    ["a shell command", "PreToolUse", tool("Bash", { command: "cd src && sed -i s/a/b/ a.js && npm test > out.txt" })],
    ["a stop", "Stop", JSON.stringify({ session_id: "s", cwd: root })],
  ];
  const bare = [];
  const times = hooks.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await timed(["-e", ""], ""));
    for (const [index, [, event, sent]] of hooks.entries())
      times[index].push(await timed([waymark, "hook", "claude", event], sent));
  }
  for (const [index, [what]] of hooks.entries()) {
    const beyond = median(times[index]) - median(bare);
    console.log(`hook at ${what} beyond starting node, ${lines} records: p50 ${beyond.toFixed(0)} ms (budget 150 ms)`);
    if (beyond > 150) process.exitCode = 1;
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}

function timed(args, sent) {
  return new Promise((resolve) => {
    const from = performance.now();
    const child = spawn(process.execPath, args, { env, stdio: ["pipe", "ignore", "ignore"] });
    child.on("close", () => resolve(performance.now() - from));
    child.stdin.on("error", () => undefined);
    child.stdin.end(sent);
  });
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
