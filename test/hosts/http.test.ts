import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { browser } from "../team/browsing.ts";
import { servedWithIssuer } from "../team/issuer.ts";
import { makeToken, startServer } from "../team/server.ts";
import { claudeSignsIn, runClaude } from "./claude.ts";
import type { Script, Seen } from "./model-api.ts";
import { FIRST_INSTRUCTION, makeProject } from "./project.ts";

it("an agent in Claude Code works over HTTP with a token: it begins, cannot skip ahead, and completes", async () => {
  const [root, elsewhere] = [folder(), folder()];
  await makeProject(root);
  const token = await makeToken(root, "claude", "agent");
  const server = await startServer(root);
  const saw = { opened: "", ahead: "", completed: "" };
  const { exitCode, stdout, stderr } = await runClaude({
    root: elsewhere,
    mcpCommand: ["none"],
    mcpUrl: { url: server.url, token },
    script: workThrough(saw),
    prompt: "Let us write user stories.",
  });
  expect([exitCode, stdout.trim()], stderr + server.log()).toEqual([0, "That was all."]);
  expect(saw.opened).toContain(FIRST_INSTRUCTION);
  expect(saw.ahead).toContain("action_sequence_violation");
  expect(saw.completed).toContain("When done, proceed to decide_planning_criteria");
  const calls = server
    .log()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(calls).toContainEqual(expect.objectContaining({ tool: "complete_action", by: "claude", status: 200 }));
  for (const secret of [token, "Two product managers"]) expect(server.log()).not.toContain(secret);
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "waymark-http-host-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function workThrough(saw: Record<"opened" | "ahead" | "completed", string>): Script {
  const last = (seen: Seen): string => seen.answers.at(-1) ?? "";
  const confirmation = "The user said: yes, done";
  return async function* (first: Seen) {
    if (!first.tools.join().includes("story_bot")) yield { search: "user stories, complete action" };
    saw.opened = last(yield { call: "story_bot", with: {} });
    saw.ahead = last(yield { call: "shape_bot", with: { action: "render_output" } });
    const outputs = { answers: "Two product managers." };
    saw.completed = last(yield { call: "complete_action", with: { confirmation, outputs } });
    // Without a terminal it answers the server's question to the person itself: with a cancel.
    if (!saw.completed.includes("When done"))
      saw.completed = last(yield { call: "complete_action", with: { confirmation } });
    return "That was all.";
  };
}

it("a person signs Claude Code in at the company's issuer, and its agent works with that sign-in", async () => {
  const { server, issuer } = await servedWithIssuer([{ claim: "groups", has: "anna", role: "agent" }]);
  const home = folder();
  const { address, terminal } = await claudeSignsIn(home, server.url);
  expect(new URL(address).origin).toBe(issuer.url);
  expect(new URL(address).searchParams.get("resource")).toBe(server.url);
  expect(new URL(address).searchParams.get("code_challenge_method")).toBe("S256");
  const landed = await browser().signIn(address, "anna");
  expect([landed.status, new URL(landed.url).searchParams.get("error")]).toEqual([200, null]);
  await terminal.ends();
  let opened = "";
  const { exitCode, stdout, stderr } = await runClaude({
    root: folder(),
    home,
    mcpCommand: ["none"],
    mcpUrl: { url: server.url },
    prompt: "Let us write user stories.",
    script: async function* (first: Seen) {
      if (!first.tools.join().includes("story_bot")) yield { search: "user stories, complete action" };
      opened = (yield { call: "story_bot", with: {} }).answers.at(-1) ?? "";
      return "That was all.";
    },
  });
  expect([exitCode, stdout.trim()], stderr + server.log()).toEqual([0, "That was all."]);
  expect(opened).toContain("gather_context");
  expect(server.log()).toContain('"by":"anna"');
});
