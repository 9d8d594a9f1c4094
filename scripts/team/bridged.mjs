import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { waymark } from "./replica.mjs";

/** Calls a team's server through a bridge of its own, as an assistant's host starts it. */
export async function bridged(url, root, env) {
  const client = new Client({ name: "walker", version: "1" });
  const args = [waymark, "serve", "--remote", url, "--root", root];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }));
  return {
    send: (name, given) => client.callTool({ name, arguments: given }),
    close: () => client.close(),
  };
}
