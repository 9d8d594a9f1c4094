import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { waymark } from "../command-line.ts";

/** What a served call answered, as far as tests of faults read it. */
export type Answer = {
  readonly status: string;
  readonly action: string;
  readonly warnings: readonly string[];
  readonly next: unknown;
  readonly session_id: string;
  readonly checkpoint_passed?: boolean;
  readonly attempt?: string;
};

/** A server on a project area, and the thinnest client; a call that is never answered gives undefined. */
export function serve(
  root: string,
  area: string,
  prepared: { readonly env: NodeJS.ProcessEnv; readonly args: readonly string[] },
) {
  const args = [...prepared.args, waymark, "serve", "--root", root, "--project-area", area];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...prepared.env },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const waiting = new Map<number, (answer: Answer | undefined) => void>();
  let id = 0;
  let isGone = false;
  child.stdin.on("error", () => undefined);
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message.result?.structuredContent);
    waiting.delete(message.id);
  });
  const gone = new Promise<void>((resolve) =>
    child.once("close", () => {
      isGone = true;
      for (const answer of waiting.values()) answer(undefined);
      resolve();
    }),
  );
  const request = (method: string, params: object): Promise<Answer | undefined> =>
    new Promise((resolve) => {
      if (isGone) return resolve(undefined);
      waiting.set(++id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  const clientInfo = { name: "faults", version: "1" };
  return {
    initialize: () => request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }),
    call: (name: string, given: object = {}) => request("tools/call", { name, arguments: given }),
    async end() {
      child.stdin.end();
      await gone;
    },
  };
}
