import {
  isJSONRPCResponse,
  type JSONRPCResponse,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Principal } from "./principal.ts";
import type { Relay } from "./relay.ts";
import { type Initialize, initializeOf, newSession, readSession, type SessionFacts } from "./session-id.ts";

export type SessionsParts = {
  readonly project: string;
  /** The key that all replicas share. */
  key(): Promise<Buffer>;
  /** A server for one connection. */
  serve(connection: string, principal: Principal): Promise<Server>;
  readonly relay: Relay;
  readonly report: (fault: unknown) => void;
};

/** The sessions of the 2025 protocols, in one project. */
export type HttpSessions = {
  /** Answers one request; `body` is its message, parsed, where it has one. */
  handle(request: Request, principal: Principal, body: unknown): Promise<Response>;
  /** How many this process holds. */
  size(): number;
  /** Ends the streams that clients only listen on. */
  endStreams(): void;
  close(): Promise<void>;
};

type Live = { readonly transport: WebStandardStreamableHTTPServerTransport; readonly server: Server };

/** Of sessions that nobody uses only so many are held; any can be taken up again. */
const mostHeld = 2000;

/**
 * Sessions that belong to no process: the id says all there is to know of one, under a seal, so that any replica takes it up
 * where it does not know it, by going through the client's `initialize` once more.
 */
export function httpSessions(parts: SessionsParts): HttpSessions {
  const { project, relay, report } = parts;
  /** What is held, the one that was used last at the end. A session that is just being taken up is waited for. */
  const held = new Map<string, Promise<Live>>();
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
    const [oldest] = ended.size > mostHeld ? ended : [];
    if (oldest !== undefined) ended.delete(oldest);
    void held
      .get(connection)
      ?.then(({ server }) => server.close())
      .catch(report);
    held.delete(connection);
  }

  async function open(id: string, facts: SessionFacts, principal: Principal): Promise<Live> {
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

  /** Goes through the client's own beginning once more, on its behalf. */
  async function takeUp(id: string, facts: SessionFacts, principal: Principal): Promise<Live> {
    const live = await open(id, facts, principal);
    await replay(live.transport, facts.initialize);
    return live;
  }

  function hold(connection: string, opening: Promise<Live>): Promise<Live> {
    held.delete(connection);
    held.set(connection, opening);
    opening.catch(() => held.delete(connection));
    if (held.size > mostHeld) void letGoOldest().catch(report);
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
      if (id === null)
        return rpcError(400, "Bad Request: initialize first, and send the Mcp-Session-Id that you are given");
      const facts = readSession(key, id);
      const isTheirs = facts?.principal === principal.id && facts.project === project && !ended.has(facts.connection);
      if (facts === undefined || !isTheirs) return rpcError(404, "Session not found");
      const { connection } = facts;
      const live = await hold(connection, held.get(connection) ?? takeUp(id, facts, principal));
      const forHere = sorted(body, (answer) => relay.incoming(connection, answer));
      if (forHere === nothing) return new Response(null, { status: 202 });
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

const nothing = Symbol("nothing is left for this replica");

/** What of a body is for this replica: answers to another's questions are sent there. */
function sorted(body: unknown, incoming: (answer: JSONRPCResponse) => JSONRPCResponse | undefined): unknown {
  const isList = Array.isArray(body);
  const messages: readonly unknown[] = isList ? body : [body];
  const left = messages.flatMap((message) => (isJSONRPCResponse(message) ? (incoming(message) ?? []) : [message]));
  if (left.length === 0 && messages.length > 0) return nothing;
  return isList ? left : left[0];
}

async function replay(transport: WebStandardStreamableHTTPServerTransport, params: Initialize): Promise<void> {
  const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };
  const request = new Request("http://replay/", { method: "POST", headers, body: "{}" });
  const parsedBody = { jsonrpc: "2.0", id: "replay", method: "initialize", params };
  const response = await transport.handleRequest(request, { parsedBody });
  if (!response.ok) throw new Error(`A session could not be taken up: ${response.status}.`);
  await response.text();
  transport.onmessage?.({ jsonrpc: "2.0", method: "notifications/initialized" });
}

function rpcError(status: number, message: string): Response {
  return Response.json(
    { jsonrpc: "2.0", error: { code: status === 404 ? -32001 : -32000, message }, id: null },
    { status },
  );
}
