import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { openWorkplace } from "../../src/compose.ts";
import { createServer } from "../../src/mcp/server.ts";
import { makeProject } from "../project.ts";

describe("a person who does not answer", () => {
  test("is waited for a limited time, then it is awaiting_human and they are not asked again here", async () => {
    const project = makeProject();
    const server = createServer({
      workplace: openWorkplace({ root: project.root }),
      era: "legacy",
      version: "0",
      connection: "test",
      patienceMs: 50,
    });
    const client = new Client({ name: "t", version: "1" }, { capabilities: { elicitation: {} } });
    let asked = 0;
    client.setRequestHandler("elicitation/create", () => {
      asked += 1;
      return new Promise<never>(() => {});
    });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(ours), client.connect(theirs)]);
    const call = async (name: string, args: Record<string, unknown>) =>
      (await client.callTool({ name, arguments: args })).structuredContent;
    await call("story_bot", {});
    expect(await call("complete_action", { outputs: { users: "guests" } })).toMatchObject({ status: "awaiting_human" });
    expect(await call("complete_action", {})).toMatchObject({ status: "awaiting_human" });
    expect(await call("complete_action", { confirmation: "yes" })).toMatchObject({ status: "completed" });
    expect(asked).toBe(1);
    await client.close();
  });
});
