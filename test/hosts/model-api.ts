import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** What the scripted model does next: look for tools the host keeps back, call one of ours or of the host's own, or end with a word. */
export type Turn = (
  | { readonly search: string }
  | { readonly call: string; readonly with: Input }
  | { readonly own: string; readonly with: Input }
  /** With `agents` it also starts sub-agents, all at once, each with a task; their conversations are scripted apart. */
  | { readonly say: string; readonly agents?: readonly string[] }
) & {
  /** The model says that its context is full: what a host compacts at. */
  readonly full?: true;
};

type Input = { readonly [name: string]: unknown };

/** What the model saw in one request: the tools by the host's names, and every tool's answer so far, oldest first. */
export type Seen = {
  readonly tools: readonly string[];
  readonly answers: readonly string[];
  /** The request itself, for what the two lists leave out. */
  readonly body: unknown;
  /** It asks for a summary of the conversation, and is no turn of it. */
  readonly isSummary?: boolean;
  /** How many summaries the model had given by then. */
  readonly summaries?: number;
  /** What a sub-agent was told to do, in a conversation that is a sub-agent's. */
  readonly task?: string;
  /** It wants its answer in one piece, not as a stream. */
  readonly isWhole?: boolean;
};

/** One conversation, told from the model's side: each `yield` is a turn, and what comes back is what the model saw next. */
export type Script = (first: Seen) => AsyncGenerator<Turn, string, Seen>;

/** One vendor's way of saying all this over HTTP. */
export type Dialect = {
  /** What the model sees in a request, or nothing where the request is no turn of the conversation. */
  read(path: string, body: unknown): Seen | undefined;
  /** What streams a turn back to the host that sent the request. */
  write(turn: Turn, seen: Seen): string;
  /** Answers a request that is none for the model, such as one for the number of tokens. */
  aside?(path: string, body: unknown): unknown;
};

/** How a task for a sub-agent begins. */
export const taskMark = "Sub-agent: ";

/** What a sub-agent was told to do, from what its conversation begins with; undefined in the conversation of a person. */
export function taskIn(beginning: unknown): string | undefined {
  const text = JSON.stringify(beginning) ?? "";
  return /Sub-agent: ((?:[^"\\]|\\.)*)/.exec(text)?.[1];
}

/** A server-sent event as two vendors write it: named by its type, which its data repeats. */
export type StreamEvent = { readonly type: string; readonly [field: string]: unknown };

/** Named events as they are streamed. */
export function eventStream(events: readonly StreamEvent[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

/** The name that a host gives a tool of ours: with the server's before it, or the plugin's, in a form of its own. */
export function nameOf(call: string, { tools }: Seen, before = ""): string {
  const listed = tools.find((name) => name.endsWith(call) && /^$|[_.-]$/.test(name.slice(0, -call.length)));
  return listed ?? before + call;
}

/** A running model: where it listens, and what it was asked so far. */
export type ModelApi = {
  readonly url: string;
  readonly requests: readonly Seen[];
  /** How often it was asked for a summary. */
  summaries(): number;
  /** Stops listening; rejects with what the script threw, if it threw. */
  close(): Promise<void>;
};

/** What the model says of a conversation that it is to sum up: nothing of where the work stands. */
const SUMMARY = "<summary>They talked about user stories.</summary>";

/** Plays a model's HTTP API on the loopback, with the script's answers; sub-agents have a script of their own. */
export async function startModelApi(dialect: Dialect, script: Script, agent: Script = script): Promise<ModelApi> {
  const requests: Seen[] = [];
  const failures: unknown[] = [];
  let summaries = 0;
  const main = follow(script);
  const agents = new Map<string, ReturnType<typeof follow>>();
  const next = (seen: Seen): Promise<Turn> => {
    if (seen.task === undefined) return main(seen);
    const followed = agents.get(seen.task) ?? follow(agent);
    agents.set(seen.task, followed);
    return followed(seen);
  };

  const send = (response: ServerResponse, seen: Seen, turn: Turn): void => {
    const type = seen.isWhole === true ? "application/json" : "text/event-stream";
    response.writeHead(200, { "content-type": type }).end(dialect.write(turn, seen));
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body: unknown = JSON.parse((await text(request)) || "null");
    const seen = dialect.read(request.url ?? "/", body);
    if (seen === undefined) {
      const independent = dialect.aside?.(request.url ?? "/", body);
      response.writeHead(independent === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(independent ?? {}));
      return;
    }
    if (seen.isSummary === true) {
      summaries += 1;
      send(response, seen, { say: SUMMARY });
      return;
    }
    const counted = { ...seen, summaries };
    requests.push(counted);
    const turn = await next(counted).catch((failure: unknown): Turn => {
      failures.push(failure);
      return { say: "The script failed." }; // an HTTP error would make the host try again
    });
    send(response, seen, turn);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((failure: unknown) => {
      failures.push(failure);
      response.destroy();
    });
  });
  // Hosts are told that this is their way to the network: nobody gets there.
  server.on("connect", (_request, socket) => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    summaries: () => summaries,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (failures.length > 0) throw failures[0];
    },
  };
}

function follow(script: Script): (seen: Seen) => Promise<Turn> {
  let conversation: ReturnType<Script> | undefined;
  return async (seen) => {
    const started = conversation;
    conversation ??= script(seen);
    const step = started ? await started.next(seen) : await conversation.next();
    return step.done ? { say: step.value ?? "Nothing more to do." } : step.value;
  };
}
