import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Client, InMemoryTransport, type Transport } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import { answerPages } from "../src/cli/people/answer-pages.ts";
import { openStore } from "../src/cli/team/open-store.ts";
import { workplaceFor } from "../src/cli/terminal/workplace-options.ts";
import { hostTraits } from "../src/hosts/host-display.ts";
import type { BotReply } from "../src/mcp/bot-reply.ts";
import { serveOverStdio } from "../src/mcp/serve-stdio.ts";
import { stdioTransport } from "../src/mcp/stdio-transport.ts";
import { version } from "../src/version.ts";
import { waymark } from "./command-line.ts";
import { isRemote } from "./doors.ts";
import { wholeOr } from "./whole.ts";

export type Era = "2025" | "2026";
export const eras: readonly Era[] = ["2025", "2026"];
/** Both under `npm run test:all`, this one under `npm test`: for what hardly depends on the era, in turn. */
export const older: readonly Era[] = wholeOr(eras, ["2025"]);
export const newer: readonly Era[] = wholeOr(eras, ["2026"]);

export type Answer = BotReply & { readonly isError: boolean; readonly text: string };

/** What a client sends back when a person was asked. */
export type Said = { action: "accept" | "decline" | "cancel"; content?: Record<string, string> };

/** A person in front of the window: what they answer when they are asked, and the form they are to fill in. */
export type Person = (question: string, form: unknown) => Said | Promise<Said>;

export type Window = {
  readonly client: Client;
  call(tool: string, args?: Record<string, unknown>): Promise<Answer>;
  /** Opens what is next and completes it with a relayed word. */
  pass(tool: string, args?: Record<string, unknown>): Promise<Answer>;
  close(): Promise<void>;
};

/** A window with a process of its own behind it. */
export type ProcessWindow = Window & {
  readonly pid: number;
  readonly stderr: () => string;
  kill(): Promise<void>;
};

export type WindowOptions = {
  readonly era?: Era;
  readonly person?: Person;
  /** What the person does who is sent to a page; "stays" where they will not go. Without it, the client opens none. */
  readonly browses?: (url: string) => unknown;
  /** What the client calls itself. */
  readonly name?: string;
  /** What `waymark serve` is told besides the root. */
  readonly args?: readonly string[];
};

/**
 * Opens a window: an official client with a server of its own, like a host has for every chat. The server stands in this
 * process, with nothing remembered from any other; what is said goes through JSON both ways.
 */
export async function openWindow(root: string, options: WindowOptions = {}): Promise<Window> {
  if (isRemote) return (await import("./remote.ts")).openRemote(root, options);
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const closeServer = serveHere(root, options, asWritten(theirs));
  const window = await connect(asWritten(ours), options);
  return {
    ...window,
    close: async () => {
      await window.close();
      await closeServer();
    },
  };
}

/** Serves one connection in this process, until it is told to stop or the test is over. */
function serveHere(root: string, { args = [] }: WindowOptions, transport: Transport): () => Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      "project-area": { type: "string" },
      definitions: { type: "string" },
      store: { type: "string" },
      project: { type: "string" },
    },
  });
  const { "project-area": projectArea, definitions, store, project } = values;
  const postgres = store === undefined ? undefined : openStore(store, project, true);
  const workplace = workplaceFor({
    root,
    ...(postgres === undefined ? {} : { postgres }),
    ...(project === undefined ? {} : { project }),
    ...(projectArea === undefined ? {} : { projectArea }),
    ...(definitions === undefined ? {} : { definitions }),
  });
  const pages = answerPages(workplace, { root }, () => undefined);
  const { openPage } = pages;
  const served = serveOverStdio(workplace, { version, report: () => undefined, transport, hostTraits, openPage });
  let stopping: Promise<void> | undefined;
  let open: { readonly served: typeof served; readonly workplace: typeof workplace } | undefined = {
    served,
    workplace,
  };
  const stop = async (): Promise<void> => {
    const closing = open;
    open = undefined; // a test may open a thousand
    await closing?.served.close();
    await pages.close();
    await closing?.workplace.settle();
    closing?.workplace.close();
    await postgres?.close();
  };
  const stopOnce = (): Promise<void> => {
    stopping ??= stop();
    return stopping;
  };
  onTestFinished(stopOnce);
  return stopOnce;
}

/** The same with the command a user runs, in a process of its own that can be killed. */
export function openProcess(root: string, options: WindowOptions = {}): Promise<ProcessWindow> {
  return openCommand([waymark, "serve", "--root", root, ...(options.args ?? [])], options);
}

/** Opens a window on any server: an official client that starts a program of Node's, like a host does for every chat. */
export async function openCommand(
  args: readonly string[],
  options: WindowOptions & { readonly cwd?: string },
): Promise<ProcessWindow> {
  const { cwd = process.cwd() } = options;
  const env = { ...getDefaultEnvironment(), XDG_STATE_HOME: process.env.XDG_STATE_HOME ?? "" };
  const transport = new StdioClientTransport({ command: process.execPath, args: [...args], cwd, env, stderr: "pipe" });
  let stderr = "";
  transport.stderr?.on("data", (chunk) => (stderr += String(chunk)));
  const window = await connect(transport, options);
  onTestFinished(window.close);
  return {
    ...window,
    pid: transport.pid ?? 0,
    stderr: () => stderr,
    kill: async () => {
      const gone = new Promise<void>((resolve) => (window.client.onclose = resolve));
      process.kill(transport.pid ?? 0, "SIGKILL");
      await gone;
      await window.close();
    },
  };
}

export async function connect(
  transport: Transport,
  { era = "2025", person, browses, name = "waymark-tests" }: WindowOptions,
): Promise<Window> {
  const client = new Client(
    { name, version: "1.0.0" },
    {
      capabilities:
        browses !== undefined ? { elicitation: { url: {} } } : person === undefined ? {} : { elicitation: {} },
      ...(era === "2026" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {}),
    },
  );
  if (person !== undefined)
    client.setRequestHandler("elicitation/create", ({ params }) => person(params.message, formOf(params)));
  if (browses !== undefined)
    client.setRequestHandler("elicitation/create", ({ params }) => {
      const stays = params.mode === "url" && browses(params.url) === "stays";
      return { action: stays ? "decline" : "accept" };
    });
  await client.connect(transport);
  const call = async (tool: string, args: Record<string, unknown> = {}): Promise<Answer> => {
    const result = await client.callTool({ name: tool, arguments: args }, { timeout: hangs });
    const [first] = result.content;
    const text = first?.type === "text" ? first.text : "";
    return { ...(result.structuredContent as BotReply), isError: result.isError === true, text };
  };
  return {
    client,
    call,
    pass: async (tool, args = {}) => {
      const { attempt } = await call(tool);
      const named = attempt === undefined ? {} : { attempt };
      return call("complete_action", { confirmation: "yes, done", ...named, ...args });
    },
    close: async () => client.close().catch(() => undefined),
  };
}

/** In milliseconds: a call that takes longer will never end, however slow the machine. */
export const hangs = 300_000;

/** A transport like a pipe: the other side reads JSON, and not in the same breath. */
function asWritten(transport: Transport): Transport {
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    const written = JSON.stringify(message);
    await setImmediate();
    await send(JSON.parse(written), options);
  };
  return transport;
}

/** The form that comes with a question. */
function formOf(params: object): unknown {
  return "requestedSchema" in params ? params.requestedSchema : undefined;
}

/** What a server sends back, as it stands on the wire. */
export type WireReply = {
  readonly id?: number | string;
  readonly result?: { structuredContent?: unknown };
  readonly error?: { code: number; message: string; data?: unknown };
};

/** Bytes to a server and its replies, for what no client would send. A reply without an id answers to `undefined`. */
export function openTransport(root: string): {
  write(bytes: string | Buffer): void;
  reply(id: number | string | undefined): Promise<WireReply>;
} {
  const [input, output] = [new PassThrough(), new PassThrough()];
  serveHere(root, {}, stdioTransport(input, output));
  const came = new Map<unknown, WireReply>();
  const waiting = new Map<unknown, (reply: WireReply) => void>();
  createInterface({ input: output }).on("line", (line) => {
    const reply: WireReply = JSON.parse(line);
    came.set(reply.id, reply);
    waiting.get(reply.id)?.(reply);
  });
  return {
    write: (bytes) => void input.write(bytes),
    reply: async (id) => came.get(id) ?? new Promise((resolve) => waiting.set(id, resolve)),
  };
}

/** A bare connection: params go out as the text they are given as. */
export function openWire(root: string): {
  send(method: string, params: string): Promise<{ structuredContent?: unknown }>;
  request(method: string, params: unknown): Promise<{ structuredContent?: unknown }>;
} {
  const transport = openTransport(root);
  let last = 0;
  const send = async (method: string, params: string): Promise<{ structuredContent?: unknown }> => {
    last += 1;
    transport.write(`{"jsonrpc":"2.0","id":${last},"method":"${method}","params":${params}}\n`);
    return (await transport.reply(last)).result ?? {};
  };
  return { send, request: (method, params) => send(method, JSON.stringify(params)) };
}
