import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type Tool,
} from "@modelcontextprotocol/server";
import { getPrompt, listPrompts } from "./prompts.ts";
import { readResource, resources, template } from "./resources.ts";
import { states } from "./round-trips.ts";
import { tools } from "./tools.ts";

/** An MCP server with the tools, prompts and resources that the conformance suite asks for, and nothing of Waymark's. */
export function fixtureServer(): Server {
  const server = new Server(
    { name: "waymark-conformance", version: "1" },
    {
      capabilities: { tools: {}, prompts: {}, resources: { subscribe: true }, logging: {}, completions: {} },
      requestState: { verify: states.verify },
    },
  );
  server.setRequestHandler("tools/list", () => ({ tools: listed }));
  server.setRequestHandler("tools/call", ({ params }, ctx) => {
    const tool = tools[params.name];
    if (tool === undefined) throw unknown("tool", params.name);
    return tool.call(params.arguments ?? {}, ctx);
  });
  server.setRequestHandler("prompts/list", () => ({ prompts: listPrompts() }));
  server.setRequestHandler("prompts/get", ({ params }, ctx) => {
    const got = getPrompt(params.name, params.arguments ?? {}, ctx);
    if (got === undefined) throw unknown("prompt", params.name);
    return got;
  });
  server.setRequestHandler("resources/list", () => ({ resources }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [template] }));
  server.setRequestHandler("resources/read", ({ params }) => {
    const read = readResource(params.uri);
    if (read === undefined) throw new ResourceNotFoundError(params.uri);
    return read;
  });
  server.setRequestHandler("resources/subscribe", () => ({}));
  server.setRequestHandler("resources/unsubscribe", () => ({}));
  server.setRequestHandler("completion/complete", () => ({ completion: { values: [], total: 0, hasMore: false } }));
  return server;
}

const nothing = { type: "object" as const };
const listed: Tool[] = Object.entries(tools).map(([name, { takes }]) => ({
  name,
  description: `What the suite calls ${name}`,
  inputSchema: takes ?? nothing,
}));

function unknown(kind: string, name: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no ${kind} ${name}.`);
}
