import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";

/** The floor over HTTP: the SDK as it comes, with one tool that does nothing. */
const handler = createMcpHandler(() => {
  const server = new McpServer({ name: "bare", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.registerTool("noop", { description: "Does nothing" }, () => ({ content: [{ type: "text", text: "ok" }] }));
  return server;
});
const server = createServer(getRequestListener((request) => handler.fetch(request)));
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
