import {
  isJSONRPCResponse,
  type JSONRPCResponse,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
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

type LiveSession = { readonly transport: WebStandardStreamableHTTPServerTransport; readonly server: Server };

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
  const stopListening = relay.listen({
    answer: (connection, message) =>
      void held
        .get(connection)
        ?.then(({ transport }) => transport.onmessage?.(message))
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
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessionclosed: () => relay.end(facts.connection),
    });
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(relay.outgoing(message), options);
    const server = await parts.serve(facts.connection, principal);
    await server.connect(transport);
    return { transport, server };
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
        return live.transport.handleRequest(request, { parsedBody: body });
      }
      if (id === null) return rpcError(400, "Bad Request: initialize first, then send the Mcp-Session-Id you receive");
      const facts = readSession(key, id);
      const isTheirs = facts?.principal === principal.id && facts.project === project && !ended.has(facts.connection);
      if (facts === undefined || !isTheirs) return rpcError(404, "Session not found");
      const { connection } = facts;
      const live = await hold(connection, held.get(connection) ?? takeUp(id, facts, principal));
      const forHere = forThisReplica(body, (answer) => relay.incoming(connection, answer));
      if (forHere === nothingLeft) return new Response(null, { status: 202 });
      return live.transport.handleRequest(request, body === undefined ? {} : { parsedBody: forHere });
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
    },
  };
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
