import { AsyncLocalStorage } from "node:async_hooks";
import {
  isJSONRPCNotification,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type JSONRPCResponse,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { type CallStreams, type CurrentCalls, callStreams, lostCalls } from "./call-streams.ts";
import { type Initialize, initializeOf, newSession, readSession, type SessionFacts } from "./http-session-id.ts";
import type { Principal } from "./principal.ts";
import type { Relay } from "./relay.ts";

export type SessionsDeps = {
  readonly project: string;
  /** Returns the key that all replicas share. */
  key(): Promise<Buffer>;
  /** Creates a server for one connection. */
  serve(connection: string, principal: Principal): Promise<Server>;
  readonly relay: Relay;
  readonly report: (fault: unknown) => void;
};

/** The sessions of the 2025 protocols in one project. */
export type HttpSessions = {
  /** Answers one request; `body` is its parsed message, if any. */
  handle(request: Request, principal: Principal, body: unknown): Promise<Response>;
  /** The number of sessions in this process. */
  size(): number;
  /** Ends the streams that clients only listen on. */
  endStreams(): void;
  close(): Promise<void>;
};

type LiveSession = {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: Server;
  readonly calls: CallStreams;
};

/** The number of idle sessions in memory; any session can be resumed. */
const maxHeld = 2000;

/**
 * Serves sessions that belong to no process: the sealed id holds all facts, so any replica can resume one by replaying its `initialize`.
 */
export function httpSessions(parts: SessionsDeps): HttpSessions {
  const { project, relay, report } = parts;
  /** The sessions in memory, latest use last; one that is being resumed is awaited. */
  const held = new Map<string, Promise<LiveSession>>();
  const ended = new Set<string>();
  const currentCalls: CurrentCalls = new AsyncLocalStorage();
  const stopListening = relay.listen({
    answer: (connection, message) =>
      void held
        .get(connection)
        ?.then(({ transport }) => transport.onmessage?.(message))
        .catch(report),
    cancelled: (connection, message) =>
      void held
        .get(connection)
        ?.then((live) => cancel(live, message))
        .catch(report),
    ended: end,
  });

  function end(connection: string): void {
    ended.add(connection);
    const [oldest] = ended.size > maxHeld ? ended : [];
    if (oldest !== undefined) ended.delete(oldest);
    void held
      .get(connection)
      ?.then(({ server }) => server.close())
      .catch(report);
    held.delete(connection);
  }

  async function open(id: string, facts: SessionFacts, principal: Principal): Promise<LiveSession> {
    const calls = callStreams(relay.replica, currentCalls);
    const transport = new WebStandardStreamableHTTPServerTransport({
      eventStore: calls.store,
      retryInterval: retryMs,
      sessionIdGenerator: () => id,
      onsessionclosed: () => relay.end(facts.connection),
    });
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(relay.outgoing(message), options);
    const server = await parts.serve(facts.connection, principal);
    await server.connect(transport);
    return { transport, server, calls };
  }

  /** Replays the client's `initialize` to resume a session. */
  async function takeUp(id: string, facts: SessionFacts, principal: Principal): Promise<LiveSession> {
    const live = await open(id, facts, principal);
    await replay(live.transport, facts.initialize);
    return live;
  }

  function hold(connection: string, opening: Promise<LiveSession>): Promise<LiveSession> {
    held.delete(connection);
    held.set(connection, opening);
    opening.catch(() => held.delete(connection));
    if (held.size > maxHeld) void letGoOldest().catch(report);
    return opening;
  }

  async function letGoOldest(): Promise<void> {
    const [first] = held;
    if (first === undefined) return;
    held.delete(first[0]);
    await (await first[1]).server.close();
  }

  return {
    async handle(request, principal, body) {
      const key = await parts.key();
      const id = request.headers.get("mcp-session-id");
      const initialize = initializeOf(body);
      if (id === null && initialize !== undefined) {
        const session = newSession(key, { principal: principal.id, project, initialize });
        const live = await hold(session.facts.connection, open(session.id, session.facts, principal));
        return live.calls.during(body, () => live.transport.handleRequest(request, { parsedBody: body }));
      }
      if (id === null) return rpcError(400, "Bad Request: initialize first, then send the Mcp-Session-Id you receive");
      const facts = readSession(key, id);
      const isTheirs = facts?.principal === principal.id && facts.project === project && !ended.has(facts.connection);
      if (facts === undefined || !isTheirs) return rpcError(404, "Session not found");
      const { connection } = facts;
      const live = await hold(connection, held.get(connection) ?? takeUp(id, facts, principal));
      const last = request.method === "GET" ? request.headers.get("last-event-id") : null;
      const missing = last === null ? "nothing" : live.calls.missing(last);
      if (Array.isArray(missing)) return lostCalls(missing);
      for (const message of [body].flat()) if (isCancellation(message)) relay.cancel(connection, message);
      const forHere = forThisReplica(body, (answer) => relay.incoming(connection, answer));
      if (forHere === nothingLeft) return new Response(null, { status: 202 });
      const answered = await live.calls.during(forHere, () =>
        live.transport.handleRequest(
          missing === "no calls" ? fresh(request) : request,
          body === undefined ? {} : { parsedBody: forHere },
        ),
      );
      for (const message of [forHere].flat()) if (isCancellation(message)) cancelledHere(live, message);
      return answered;
    },
    size: () => held.size,
    endStreams() {
      for (const opening of held.values())
        void opening.then(({ transport }) => transport.closeStandaloneSSEStream()).catch(report);
    },
    async close() {
      stopListening();
      const all = await Promise.allSettled(held.values());
      held.clear();
      await Promise.allSettled(all.map((one) => (one.status === "fulfilled" ? one.value.server.close() : undefined)));
      currentCalls.disable();
    },
  };
}

/** The milliseconds after which a client asks for a stream that broke off. */
const retryMs = 100;

/** Ends a call that another replica was told is cancelled. */
function cancel(live: LiveSession, message: JSONRPCMessage): void {
  live.transport.onmessage?.(message);
  cancelledHere(live, message);
}

/** Closes the stream of a cancelled call, which is never answered. */
function cancelledHere({ transport }: LiveSession, message: JSONRPCMessage): void {
  const { requestId } = ("params" in message ? message.params : undefined) ?? {};
  if (typeof requestId === "string" || typeof requestId === "number") transport.closeSSEStream(requestId);
}

function isCancellation(message: unknown): message is JSONRPCMessage {
  return isJSONRPCNotification(message) && message.method === "notifications/cancelled";
}

/** The request for a stream of its own, of which nothing is missing. */
function fresh(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("last-event-id");
  return new Request(request.url, { headers, signal: request.signal });
}

const nothingLeft = Symbol("nothing is left for this replica");

/** Picks the messages for this replica, and forwards answers to other replicas. */
function forThisReplica(body: unknown, incoming: (answer: JSONRPCResponse) => JSONRPCResponse | undefined): unknown {
  const isList = Array.isArray(body);
  const messages: readonly unknown[] = isList ? body : [body];
  const left = messages.flatMap((message) => (isJSONRPCResponse(message) ? (incoming(message) ?? []) : [message]));
  if (left.length === 0 && messages.length > 0) return nothingLeft;
  return isList ? left : left[0];
}

async function replay(transport: WebStandardStreamableHTTPServerTransport, params: Initialize): Promise<void> {
  const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };
  const request = new Request("http://replay/", { method: "POST", headers, body: "{}" });
  const parsedBody = { jsonrpc: "2.0", id: "replay", method: "initialize", params };
  const response = await transport.handleRequest(request, { parsedBody });
  if (!response.ok) throw new Error(`A session could not be resumed: ${response.status}.`);
  await response.text();
  transport.onmessage?.({ jsonrpc: "2.0", method: "notifications/initialized" });
}

function rpcError(status: number, message: string): Response {
  return Response.json(
    { jsonrpc: "2.0", error: { code: status === 404 ? -32001 : -32000, message }, id: null },
    { status },
  );
}
