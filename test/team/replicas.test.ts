import { describe, expect, it } from "vitest";
import { freshProject, postgresUrl } from "../postgres.ts";
import { makeProject } from "../project.ts";
import { eras } from "../window.ts";
import { makeToken, openInTurn, startServer } from "./server.ts";

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
};

it("a session goes on at another server that shares the store, and stays the same caller", async () => {
  const { root } = makeProject();
  const token = await makeToken(root, "claude", "agent");
  const [first, second] = [await startServer(root), await startServer(root)];
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const post = (url: string, body: object, more: Record<string, string> = {}): Promise<Response> =>
    fetch(url, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(body) });
  const began = await post(first.url, initialize);
  await began.text();
  const session = { "mcp-session-id": began.headers.get("mcp-session-id") ?? "" };
  const call = async (url: string, id: number, name: string, args: object): Promise<string> => {
    const params = { name, arguments: args };
    return (await post(url, { jsonrpc: "2.0", id, method: "tools/call", params }, session)).text();
  };
  expect(await call(first.url, 2, "story_bot", { run: "shop" })).toContain('"status":"started"');
  await first.close();
  // Its own start, not another's: nothing is interrupted, and what it opened is what it completes.
  expect(await call(second.url, 3, "story_bot", { run: "shop" })).toContain('"status":"started"');
  const done = await call(second.url, 4, "complete_action", { confirmation: "yes, done" });
  expect(done).toContain('"status":"completed"');
  expect(done).toContain('"run":"shop"');
});

it("a server that is stopped finishes the call under way, and takes no other", async () => {
  const { root } = makeProject();
  const server = await startServer(root);
  let answer: (said: { action: "accept"; content: { answer: string } }) => void = () => undefined;
  let isAsked: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  const window = await server.open({
    person: () => {
      isAsked();
      return new Promise((resolve) => (answer = resolve));
    },
  });
  await window.call("story_bot");
  const completing = window.call("complete_action", { outputs: { done: true } });
  await asked;
  const closing = server.close();
  answer({ action: "accept", content: { answer: "yes" } });
  expect((await completing).status).toBe("completed");
  await closing;
  await expect(fetch(server.url, { method: "POST" })).rejects.toThrow();
});

describe.each(eras)("three replicas on one PostgreSQL, asked in turn, in the era of %s", (era) => {
  it("walk a behavior to its end, and every question reaches whoever asked it", async () => {
    const { root } = makeProject();
    const about = { store: await postgresUrl(), project: freshProject() };
    const servers = [await startServer(root, about), await startServer(root, about), await startServer(root, about)];
    let questions = 0;
    const person = () => {
      questions++;
      return { action: "accept" as const, content: { answer: "yes" } };
    };
    const urls = servers.map(({ url }) => url);
    const window = await openInTurn(urls, { era, person });
    const statuses: string[] = [];
    for (let step = 0; step < 5; step++) {
      expect((await window.call("shape_bot")).status).toBe("started");
      statuses.push((await window.call("complete_action", { outputs: { step } })).status);
    }
    expect(statuses).toEqual(["completed", "completed", "completed", "completed", "workflow_complete"]);
    expect(questions).toBe(4);
  });
});
