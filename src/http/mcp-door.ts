import { classifyInboundRequest, createMcpHandler, isJsonContentType, type Server } from "@modelcontextprotocol/server";
import type { Era } from "../mcp/ask.ts";
import type { Principal } from "./principal.ts";
import type { Relay } from "./relay.ts";
import { httpSessions } from "./sessions.ts";

/** What the endpoint of one project needs. */
export type McpDoorParts = {
  readonly project: string;
  key(): Promise<Buffer>;
  /** A server for a connection: one session of the 2025 protocols, or one call of the 2026 protocol. */
  serve(about: { readonly era: Era; readonly connection: string; readonly principal: Principal }): Promise<Server>;
  readonly relay: Relay;
  readonly report: (fault: unknown) => void;
};

/** The endpoint of one project, in both protocol eras. */
export type McpDoor = {
  /** Answers one request; `body` is its message, parsed, where it has one. */
  answer(request: Request, principal: Principal, body: unknown): Promise<Response>;
  /** How many sessions this process holds. */
  sessions(): number;
  endStreams(): void;
  close(): Promise<void>;
};

/** Serves the 2025 protocols by sessions, and the 2026 protocol call by call, where the principal is the connection. */
export function mcpDoor(parts: McpDoorParts): McpDoor {
  const { project, relay, report } = parts;
  const principals = new WeakMap<Request, Principal>();
  const sessions = httpSessions({
    project,
    relay,
    report,
    key: parts.key,
    serve: (connection, principal) => parts.serve({ era: "legacy", connection, principal }),
  });
  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const principal = requestInfo && principals.get(requestInfo);
      if (principal === undefined) throw new Error("A call came in without a principal.");
      return parts.serve({ era: "modern", connection: principal.id, principal });
    },
    { legacy: "reject" },
  );
  return {
    async answer(request, principal, body) {
      const { headers, method } = request;
      if (method === "POST" && !isJsonContentType(headers.get("content-type")))
        return new Response("Send application/json.\n", { status: 415 });
      const outcome = classifyInboundRequest({ httpMethod: method, body, ...protocolHeaders(headers) });
      if (outcome.kind === "legacy") return sessions.handle(request, principal, body);
      principals.set(request, principal);
      return modern.fetch(request, { parsedBody: body });
    },
    sessions: sessions.size,
    endStreams: sessions.endStreams,
    close: async () => void (await Promise.all([sessions.close(), modern.close()])),
  };
}

function protocolHeaders(headers: Headers): {
  protocolVersionHeader?: string;
  mcpMethodHeader?: string;
  mcpNameHeader?: string;
} {
  const [version, method, name] = ["mcp-protocol-version", "mcp-method", "mcp-name"].map((one) => headers.get(one));
  return {
    ...(version ? { protocolVersionHeader: version } : {}),
    ...(method ? { mcpMethodHeader: method } : {}),
    ...(name ? { mcpNameHeader: name } : {}),
  };
}
