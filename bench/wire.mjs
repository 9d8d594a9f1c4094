import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const stateHome = mkdtempSync(join(tmpdir(), "waymark-bench-state-"));
process.env.XDG_STATE_HOME = stateHome; // a bench leaves nothing in your home folder
process.once("exit", () => rmSync(stateHome, { recursive: true, force: true }));

/** A server process and the thinnest client there is: lines of JSON, timed from outside. */
export function startServer(args) {
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map();
  let id = 0;
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const request = (method, params) =>
    new Promise((resolve) => {
      id += 1;
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  return {
    pid: child.pid,
    request,
    call: async (name, args = {}) => (await request("tools/call", { name, arguments: args })).result,
    initialize: async () => {
      await request("initialize", {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "bench", version: "1" },
      });
      send({ method: "notifications/initialized" });
    },
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", resolve);
        child.stdin.end();
      }),
  };
}

/** The middle value. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Times one piece of work in milliseconds. */
export async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Prints a figure against its budget; the run fails only with --strict. */
export function report(title, ratio, budget, detail) {
  const verdict = ratio <= budget ? "within" : "OVER";
  console.log(`${title}: ${ratio.toFixed(2)} × (budget ${budget} ×, ${verdict})  ${detail}`);
  if (ratio > budget && process.argv.includes("--strict")) process.exitCode = 1;
}

/** Prints how much longer calls take than those that do nothing. */
export function reportCalls(title, times, noops, budget) {
  const [own, floor] = [median(times), median(noops)];
  report(title, own / floor, budget, `${own.toFixed(2)} ms against ${floor.toFixed(2)} ms`);
}

/** Names of our own modules, bundled into a folder and loaded. */
export async function bundled(contents, folder) {
  const { build } = await import("esbuild");
  const home = fileURLToPath(new URL("..", import.meta.url));
  const outfile = join(folder, "bundled.mjs");
  const how = { bundle: true, platform: "node", format: "esm", logLevel: "warning" };
  await build({ ...how, absWorkingDir: home, stdin: { contents, resolveDir: home }, outfile });
  return import(outfile);
}
