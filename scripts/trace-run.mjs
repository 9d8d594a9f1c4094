import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { home } from "./set-up.mjs";

/** A folder of the same depth on every machine: the number of functions entered depends on how deep files are. */
const shallow = process.platform === "win32" ? tmpdir() : "/tmp";

/** Rooms that do not count as passed: utilities that every room uses. */
export const uncounted = ["kit"];

const workload = join(home, "bench/trace-workload");

/** In milliseconds: by then a server watches the folders of what it has read, and has written what it writes after an answer. */
const settling = 400;
/** In milliseconds: by then a server no longer trusts what it looked at before, unless a watcher tells it. */
const resting = 2100;

/**
 * Measures one call of each kind with the real server over stdio. Each is made twice before it is measured; `warm` is the
 * next call of its kind, `rested` the one after a pause.
 */
export async function traceAll() {
  const literals = JSON.parse(readFileSync(join(workload, "calls.json"), "utf8"));
  const folder = realpathSync(mkdtempSync(join(shallow, "waymark-trace-")));
  try {
    copySources(join(folder, "package"));
    const tools = Object.keys(walks);
    return Object.fromEntries(await Promise.all(tools.map((tool) => trace(folder, tool, walks[tool](literals[tool])))));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies what the server loads of itself; its packages stay where they are. */
function copySources(to) {
  const filter = (path) => !path.endsWith(".test.ts") && !path.endsWith(".tsx");
  for (const name of ["package.json", "src", "schemas"])
    cpSync(join(home, name), join(to, name), { recursive: true, filter });
  symlinkSync(join(home, "node_modules"), join(to, "node_modules"), "junction");
}

/** For each tool, what is called before the n-th measured call, and that call. */
const walks = {
  complete_action: (given) => async (call) => {
    await call("write_bot");
    return { tool: "complete_action", given };
  },
  complete_phase: (given) => {
    let session_id;
    return async (call, n) => {
      ({ session_id } =
        session_id === undefined
          ? await call("start_workflow", { workflow_type: "review", target_file: "src/shop.ts" })
          : { session_id });
      return { tool: "complete_phase", given: { session_id, phase: n + 1, ...given } };
    };
  },
  search_standards: (queries) => async (_, n) => ({ tool: "search_standards", given: { query: queries[n] } }),
};

async function trace(folder, tool, prepare) {
  const root = join(folder, tool);
  const [area, definitions, out] = ["area", "definitions", "trace.jsonl"].map((name) => join(root, name));
  cpSync(join(workload, "definitions"), definitions, { recursive: true });
  cpSync(join(workload, "calls.json"), join(area, "calls.json"));
  const recorder = join(home, "scripts/trace-recorder.mjs");
  const serve = ["serve", "--root", area, "--definitions", definitions];
  const client = new Client({ name: "trace", version: "1.0.0" });
  try {
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: ["--import", recorder, join(folder, "package/src/cli/main.ts"), ...serve],
        env: {
          ...process.env,
          WAYMARK_TRACE: out,
          WAYMARK_TRACED_SOURCES: join(folder, "package/src"),
          WAYMARK_TRACED_DEFINITIONS: definitions,
          XDG_STATE_HOME: join(root, "state"),
          UV_THREADPOOL_SIZE: "1", // what is read at the same time ends in the same order each time
        },
      }),
    );
    const call = async (name, given = {}) => {
      const { isError, structuredContent } = await client.callTool({ name, arguments: given });
      const isRefused =
        isError || structuredContent?.status === "awaiting_human" || structuredContent?.checkpoint_passed === false;
      if (isRefused) throw new Error(`${name} was refused: ${JSON.stringify(structuredContent)}`);
      return structuredContent;
    };
    for (const [n, pause] of [0, settling, settling, resting].entries()) {
      const { tool: name, given } = await prepare(call, n);
      await wait(pause);
      await call(name, given);
    }
    const calls = readFileSync(out, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const [, , warm, rested] = calls.filter((one) => one.tool === tool);
    return [tool, { warm, rested }];
  } finally {
    await client.close();
  }
}

/** Adds one call up. Rooms named in `left` do not count, neither as passed nor as a change. */
export function count({ entered, reads }, left = uncounted) {
  const counted = entered.filter((file) => !left.includes(roomOf(file)));
  return {
    files: new Set(counted).size,
    changes: Math.max(0, stretchesOf(counted).length - 1),
    functions: counted.length,
    definition_functions: entered.filter((file) => roomOf(file) === "definitions").length,
    definition_reads: reads.length,
  };
}

/** The rooms that a call passes, in order. */
export function stretchesOf(entered) {
  const rooms = entered.map(roomOf);
  return rooms.filter((room, index) => index === 0 || room !== rooms[index - 1]);
}

/** The first folder under src; a file that lies in src itself is a room of its own. */
export function roomOf(file) {
  return file.split("/")[0];
}
