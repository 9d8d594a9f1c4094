import { classifyInboundRequest, createMcpHandler, isJsonContentType, type Server } from "@modelcontextprotocol/server";
import type { Era } from "../mcp/elicit-approval.ts";
import { httpSessions } from "./http-sessions.ts";
import type { Principal } from "./principal.ts";
import type { Relay } from "./relay.ts";

/** The dependencies of one project's endpoint. */
export type McpEndpointDeps = {
  readonly project: string;
  key(): Promise<Buffer>;
  /** Creates a server for a connection: a session of the 2025 protocols, or one call of the 2026 protocol. */
  serve(about: { readonly era: Era; readonly connection: string; readonly principal: Principal }): Promise<Server>;
  readonly relay: Relay;
  readonly report: (fault: unknown) => void;
};

/** The MCP endpoint of one project, in both protocol eras. */
export type McpEndpoint = {
  /** Answers one request; `body` is its parsed message, if any. */
  answer(request: Request, principal: Principal, body: unknown): Promise<Response>;
  /** The number of sessions in this process. */
  sessions(): number;
  endStreams(): void;
  close(): Promise<void>;
};

/** Serves the 2025 protocols by session, and the 2026 protocol by call with the principal as the connection. */
export function mcpEndpoint(parts: McpEndpointDeps): McpEndpoint {
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
      if (principal === undefined) throw new Error("A call has no principal.");
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
