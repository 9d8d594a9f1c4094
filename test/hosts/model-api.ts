import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** What the scripted model does next: look for tools the host keeps back, call one, or end with a word. */
export type Turn =
  | { readonly search: string }
  | { readonly call: string; readonly with: { readonly [name: string]: unknown } }
  | { readonly say: string };

/** What the model saw in one request: the tools by the host's names, and every tool's answer so far, oldest first. */
export type Seen = {
  readonly tools: readonly string[];
  readonly answers: readonly string[];
  /** The request itself, for what the two lists leave out. */
  readonly body: unknown;
};

/** One conversation, told from the model's side: each `yield` is a turn, and what comes back is what the model saw next. */
export type Script = (first: Seen) => AsyncGenerator<Turn, string, Seen>;

/** One vendor's way of saying all this over HTTP. */
export type Dialect = {
  /** What the model sees in a request, or nothing where the request is no turn of the conversation. */
  read(path: string, body: unknown): Seen | undefined;
  /** The events that stream a turn back to the host that sent the request. */
  write(turn: Turn, seen: Seen): readonly StreamEvent[];
};

/** A server-sent event as both vendors write it: named by its type, which its data repeats. */
export type StreamEvent = { readonly type: string; readonly [field: string]: unknown };

/** A running model: where it listens, and what it was asked so far. */
export type ModelApi = {
  readonly url: string;
  readonly requests: readonly Seen[];
  /** Stops listening; rejects with what the script threw, if it threw. */
  close(): Promise<void>;
};

/** Plays a model's HTTP API on the loopback, with the script's answers. */
export async function startModelApi(dialect: Dialect, script: Script): Promise<ModelApi> {
  const requests: Seen[] = [];
  const failures: unknown[] = [];
  const next = follow(script);

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body: unknown = JSON.parse((await text(request)) || "null");
    const seen = dialect.read(request.url ?? "/", body);
    if (seen === undefined) {
      response.writeHead(404).end("{}");
      return;
    }
    requests.push(seen);
    const turn = await next(seen).catch((failure: unknown): Turn => {
      failures.push(failure);
      return { say: "The script failed." }; // an HTTP error would make the host try again
    });
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of dialect.write(turn, seen)) {
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    }
    response.end();
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((failure: unknown) => {
      failures.push(failure);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
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
