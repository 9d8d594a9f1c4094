import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import type { BotAnswer } from "../src/mcp/bot-reply.ts";

export type Era = "2025" | "2026";
export const eras: readonly Era[] = ["2025", "2026"];

/** The command a user runs. */
export const waymark = join(import.meta.dirname, "../dist/waymark.js");

export type Answer = BotAnswer & { readonly isError: boolean; readonly text: string };

/** A person in front of the window: what they answer when they are asked. */
export type Person = (
  question: string,
) => { action: "accept" | "decline" | "cancel"; content?: { comment: string } } | Promise<never>;

export type Window = {
  readonly client: Client;
  readonly pid: number;
  readonly stderr: () => string;
  call(tool: string, args?: Record<string, unknown>): Promise<Answer>;
  /** Opens what is next and completes it with a relayed word. */
  pass(tool: string, args?: Record<string, unknown>): Promise<Answer>;
  kill(): Promise<void>;
  close(): Promise<void>;
};

/** Opens a window: an official client that starts a server of its own, like a host does for every chat. */
export async function openWindow(
  root: string,
  options: { era?: Era; person?: Person; args?: readonly string[] } = {},
): Promise<Window> {
  const { era = "2025", person, args = [] } = options;
  const client = new Client(
    { name: "waymark-tests", version: "1.0.0" },
    {
      capabilities: person === undefined ? {} : { elicitation: {} },
      ...(era === "2026" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {}),
    },
  );
  if (person !== undefined) client.setRequestHandler("elicitation/create", ({ params }) => person(params.message));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [waymark, "serve", "--root", root, ...args],
    stderr: "pipe",
  });
  let stderr = "";
  transport.stderr?.on("data", (chunk) => (stderr += String(chunk)));
  await client.connect(transport);
  const close = async (): Promise<void> => client.close().catch(() => undefined);
  onTestFinished(close);
  const call = async (tool: string, toolArgs: Record<string, unknown> = {}): Promise<Answer> => {
    const result = await client.callTool({ name: tool, arguments: toolArgs });
    const [first] = result.content;
    const text = first?.type === "text" ? first.text : "";
    return { ...(result.structuredContent as BotAnswer), isError: result.isError === true, text };
  };
  return {
    client,
    pid: transport.pid ?? 0,
    stderr: () => stderr,
    call,
    pass: async (tool, toolArgs = {}) => {
      await call(tool);
      return call("complete_action", { confirmation: "yes, done", ...toolArgs });
    },
    kill: async () => {
      const gone = new Promise<void>((resolve) => (client.onclose = resolve));
      process.kill(transport.pid ?? 0, "SIGKILL");
      await gone;
      await close();
    },
    close,
  };
}

/** Runs the command line to its end. */
export function runCli(
  args: readonly string[],
  cwd?: string,
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [waymark, ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => (stdout += String(chunk)));
    child.stderr.on("data", (chunk) => (stderr += String(chunk)));
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** A bare connection, for what no client would send: params go out as the text they are given as. */
export function openWire(root: string): {
  send(method: string, params: string): Promise<{ structuredContent?: unknown }>;
  request(method: string, params: unknown): Promise<{ structuredContent?: unknown }>;
} {
  const child = spawn(process.execPath, [waymark, "serve", "--root", root], { stdio: ["pipe", "pipe", "ignore"] });
  onTestFinished(() => void child.kill());
  const waiting = new Map<number, (result: { structuredContent?: unknown }) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, result } = JSON.parse(line);
    waiting.get(id)?.(result);
  });
  let last = 0;
  const send = (method: string, params: string): Promise<{ structuredContent?: unknown }> => {
    last += 1;
    child.stdin.write(`{"jsonrpc":"2.0","id":${last},"method":"${method}","params":${params}}\n`);
    return new Promise((resolve) => waiting.set(last, resolve));
  };
  return { send, request: (method, params) => send(method, JSON.stringify(params)) };
}
