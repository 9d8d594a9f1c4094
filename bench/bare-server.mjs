import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

/** The floor: the SDK as it comes, with one tool that does nothing. */
serveStdio(() => {
  const server = new McpServer({ name: "bare", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.registerTool("noop", { description: "Does nothing" }, () => ({ content: [{ type: "text", text: "ok" }] }));
  return server;
});
