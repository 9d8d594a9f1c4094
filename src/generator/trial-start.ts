import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { isDeepStrictEqual } from "node:util";
import { isObject } from "../kit/json.ts";

/** The result of a first start: the time to list the tools, or what failed. */
export type TrialResult = { readonly milliseconds: number } | { readonly failed: string };

/** Starts a generated server once in an empty folder and lists its tools, so that a broken one is never delivered. */
export function trialStart(entry: string, folder: string, tools: unknown, patience = 60_000): Promise<TrialResult> {
  const from = performance.now();
  const child = spawn(process.execPath, [entry, "--root", folder], { cwd: folder, stdio: ["pipe", "pipe", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk) => (said += String(chunk)));
  return new Promise((resolve) => {
    const end = (result: TrialResult): void => {
      clearTimeout(timer);
      child.stdin.end();
      child.kill();
      resolve(result);
    };
    const timer = setTimeout(() => end({ failed: `it did not answer within ${patience / 1000} s` }), patience);
    child.on("error", (error) => end({ failed: error.message }));
    child.on("exit", (code) => end({ failed: `it exited with code ${code}: ${said.trim().slice(0, 500)}` }));
    child.stdin.on("error", () => undefined); // its exit says more
    createInterface({ input: child.stdout }).on("line", (line) => {
      const result = resultIn(line);
      if (result === undefined) return;
      const milliseconds = Math.round(performance.now() - from);
      const isSame = isDeepStrictEqual(result.tools, JSON.parse(JSON.stringify(tools)));
      end(isSame ? { milliseconds } : { failed: "its tools differ from tools.json" });
    });
    for (const message of conversation) child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  });
}

const listId = 2;

const conversation = [
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "waymark-generate", version: "1" } },
  },
  { method: "notifications/initialized" },
  { id: listId, method: "tools/list", params: {} },
];

function resultIn(line: string): { readonly tools?: unknown } | undefined {
  const message: unknown = JSON.parse(line);
  if (!isObject(message) || message.id !== listId) return undefined;
  return isObject(message.result) ? message.result : {};
}
