import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { openWorkplace } from "../../src/app/open-workplace.ts";
import { createServer } from "../../src/mcp/server.ts";
import { addWorkflow, evidenceFor } from "../phased.ts";
import { makeProject } from "../project.ts";

type Call = (name: string, args?: Record<string, unknown>) => Promise<unknown>;

/** A client whose person never answers, at a server that does not wait long. */
async function silent(): Promise<{ call: Call; asked: () => number }> {
  const project = makeProject();
  addWorkflow(project, { phases: 2, approval: [1] });
  const server = await createServer({
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
  onTestFinished(() => client.close());
  return {
    call: async (name, args = {}) => (await client.callTool({ name, arguments: args })).structuredContent,
    asked: () => asked,
  };
}

describe("a person who does not answer is waited for a limited time, and not asked again about the same here", () => {
  test("an action: awaiting_human, then asked about what is handed in otherwise, then the confirmation counts", async () => {
    const { call, asked } = await silent();
    await call("story_bot");
    const waiting = { status: "awaiting_human", kept: { outputs: ["users"] } };
    expect(await call("complete_action", { outputs: { users: "guests" } })).toMatchObject(waiting);
    expect(await call("complete_action")).toMatchObject(waiting);
    expect(asked()).toBe(1);
    expect(await call("complete_action", { outputs: { users: "staff" } })).toMatchObject(waiting);
    expect(asked()).toBe(2);
    expect(await call("complete_action", { confirmation: "yes" })).toMatchObject({ status: "completed" });
    expect(asked()).toBe(2);
  });

  test("a phase: approval_required, then the confirmation counts", async () => {
    const { call, asked } = await silent();
    const started = await call("start_workflow", { workflow_type: "survey" });
    const { session_id } = started as { session_id: string };
    const submitted = { session_id, phase: 1, evidence: evidenceFor(1) };
    expect(await call("complete_phase", submitted)).toMatchObject({ error: "approval_required" });
    expect(await call("complete_phase", submitted)).toMatchObject({ error: "approval_required" });
    const confirmed = { ...submitted, confirmation: "yes" };
    expect(await call("complete_phase", confirmed)).toMatchObject({ checkpoint_passed: true });
    expect(asked()).toBe(1);
  });
});
