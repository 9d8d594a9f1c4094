import { symlinkSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { performance } from "node:perf_hooks";
import { expect, it, onTestFinished } from "vitest";
import { runCli } from "../command-line.ts";
import { makeProject } from "../project.ts";
import { oneOf } from "../whole.ts";
import { eras } from "../window.ts";
import { completed, openBridged, ranIn, serverProject, workTree } from "./bridging.ts";
import { makeToken, startServer } from "./server.ts";

const honest = { evidence: { summary: "done" }, confirmation: "yes" };

it.each(oneOf(2, eras))("an assistant's checks run where its files are (%s)", async (era) => {
  const { root } = serverProject();
  const { url } = await startServer(root);
  const tree = workTree({ passed: 11, failed: 1 });
  const window = await openBridged(url, tree, { era });
  await window.call("shape_bot");
  const claim = { evidence: { summary: "done", tests_passed: 12 }, confirmation: "yes" };
  const untrusted = await completed(window, claim);
  expect(untrusted).toMatchObject({ status: "refused", error: "check_untrusted" });
  expect(ranIn(tree)).toBe(0);
  const { stdout } = await runCli(["trust", "--root", tree.root, "--yes"]);
  expect(stdout).toContain("run-tests.cjs");
  const failed = await completed(window, claim);
  expect(failed).toMatchObject({ status: "refused", error: "check_failed" });
  expect(failed.message).toContain("failed: f0");
  tree.write("plan.json", { passed: 11 });
  const lied = await completed(window, claim);
  expect(lied).toMatchObject({ status: "refused", missing_evidence: ["tests_passed (claimed 12, found 11)"] });
  expect(await completed(window, honest)).toMatchObject({ status: "completed" });
  expect(ranIn(tree)).toBe(2);
});

// Attack (tools): Submit, through the bridge, a file outside the project, behind a link, or in a dot-folder
// -> Refused: `invalid_input`, and nothing is sent
it.each(oneOf(2, eras))(
  "submitted files without text are read from the work tree, by the rules of content (%s)",
  async (era) => {
    const { root, read } = makeProject();
    const { url } = await startServer(root);
    const tree = workTree({});
    tree.write("docs/plan.md", "# Plan\n");
    tree.write(".env", "SECRET=1");
    tree.write("logo.png", Buffer.from([0x89, 0xff, 0x00]).toString("latin1"));
    symlinkSync("/etc/hostname", tree.path("link.md"));
    const window = await openBridged(url, tree, { era });
    await window.call("shape_bot");
    for (const path of [
      ".env",
      "../outside.md",
      "/etc/hostname",
      "link.md",
      ".git/config",
      "gone.md",
      "workflow_state.json",
    ]) {
      const refused = await completed(window, { content: [{ path }], confirmation: "yes" });
      expect(refused, path).toMatchObject({ status: "refused", error: "invalid_input" });
      expect(refused.message, path).toContain(JSON.stringify(path));
    }
    const done = await completed(window, { content: [{ path: "docs/plan.md" }], confirmation: "yes" });
    expect(done).toMatchObject({ status: "completed", saved: ["waymark://content/story_bot.shape/docs/plan.md"] });
    expect(read("docs/plan.md")).toBe("# Plan\n");
  },
);

it.each(oneOf(2, eras))(
  "the person is asked through the bridge, and their answer counts as theirs (%s)",
  async (era) => {
    const { root } = makeProject();
    const { url } = await startServer(root);
    const asked: string[] = [];
    const window = await openBridged(url, workTree({}), {
      era,
      person(question) {
        asked.push(question);
        return { action: "accept", content: { answer: "yes", comment: "well done" } };
      },
    });
    await window.call("shape_bot");
    const done = await completed(window, { outputs: { goal: "tea" } });
    expect(done).toMatchObject({ status: "completed" });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain("tea");
    expect((await runCli(["log", "--root", root, "--json"])).stdout).toContain('"elicited"');
  },
);

it("what only the server knows comes through: lists, prompts and resources", async () => {
  const { root } = makeProject();
  const server = await startServer(root);
  const [direct, bridged] = [await server.open(), await openBridged(server.url, workTree({}))];
  for (const { client } of [direct, bridged]) expect((await client.listTools()).tools.length).toBeGreaterThan(6);
  expect(await bridged.client.listTools()).toEqual(await direct.client.listTools());
  expect(await bridged.client.listPrompts()).toEqual(await direct.client.listPrompts());
  expect((await bridged.client.listResources()).resources).toEqual((await direct.client.listResources()).resources);
  expect(bridged.client.getInstructions()).toBe(direct.client.getInstructions());
});

it("a passed check runs again only if its files have changed since", async () => {
  const { root } = serverProject();
  const { url } = await startServer(root);
  const tree = workTree({ passed: 3 });
  const window = await openBridged(url, tree);
  await window.call("shape_bot");
  const submitted = { evidence: { summary: "done" } };
  await completed(window, submitted);
  await runCli(["trust", "--root", tree.root, "--yes"]);
  expect(await completed(window, submitted)).toMatchObject({ status: "awaiting_human" });
  expect(await completed(window, submitted)).toMatchObject({ status: "awaiting_human" });
  expect(ranIn(tree)).toBe(1);
  tree.write("src/new.js", "1");
  expect(await completed(window, submitted)).toMatchObject({ status: "awaiting_human" });
  expect(ranIn(tree)).toBe(2);
  // Another bridge of the same person knows nothing of these files: it runs its own.
  const other = await openBridged(url, workTree({ passed: 4 }));
  await other.call("shape_bot", { resume: "continue" });
  await other.call("complete_action", submitted);
  expect(ranIn(tree)).toBe(2);
  expect(await completed(window, { ...submitted, confirmation: "yes" })).toMatchObject({
    status: "completed",
  });
});

it("an unreachable server is unavailable at once, and a wrong token says how to sign in", async () => {
  const { root } = makeProject();
  await makeToken(root, "anna", "agent");
  const server = await startServer(root);
  await expect(openBridged(server.url, workTree({}), { token: "wm_wrong" })).rejects.toThrow(/--login/);
  const token = await makeToken(root, "ben", "agent");
  const window = await openBridged(server.url, workTree({}), { token });
  await window.call("shape_bot");
  await server.close();
  const from = performance.now();
  const refused = await completed(window, { confirmation: "yes" });
  expect(refused).toMatchObject({ status: "refused", error: "unavailable", isError: true });
  expect(await window.call("get_workflow_state")).toMatchObject({ error: "unavailable" });
  expect(performance.now() - from).toBeLessThan(45_000); // the client itself gives up after 60 s
});

/** A proxy that loses the answers of the first calls that `loses` picks, after the server has carried them out. */
async function losing(
  url: string,
  loses: (body: string) => boolean,
): Promise<{ readonly url: string; readonly lost: string[] }> {
  const lost: string[] = [];
  const far = new URL(url);
  const proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as IncomingMessage & AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const headers = { ...request.headers, host: far.host } as unknown as Record<string, string>;
    delete headers["content-length"];
    delete headers.connection;
    const answer = await fetch(url, { method: request.method ?? "GET", headers, ...(body === "" ? {} : { body }) });
    if (loses(body)) {
      lost.push(body);
      await answer.text();
      return void response.destroy();
    }
    const { "content-encoding": _, ...rest } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, rest);
    for await (const chunk of answer.body ?? []) response.write(chunk);
    response.end();
  });
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`, lost };
}

it("a completion whose answer was lost is sent again only with its attempt, and counts once", async () => {
  const { root, state } = makeProject();
  const { url } = await startServer(root);
  let left = 1;
  const way = await losing(url, (body) => body.includes('"complete_action"') && left-- > 0);
  const window = await openBridged(way.url, workTree({}));
  const { attempt } = await window.call("shape_bot");
  const done = await completed(window, { attempt, confirmation: "yes" });
  expect(done).toMatchObject({ status: "completed", action: "gather_context" });
  expect(way.lost).toHaveLength(1);
  expect(state().completed_actions).toHaveLength(1);
  await window.call("shape_bot");
  left = 1;
  const unnamed = await completed(window, { confirmation: "yes", outputs: { a: 1 } });
  expect(unnamed).toMatchObject({ error: "unavailable" });
  expect(way.lost).toHaveLength(2); // not sent a second time
  expect(state().completed_actions).toHaveLength(2);
});

it("a server that has forgotten its sessions is joined again, without the assistant noticing", async () => {
  const { root } = makeProject();
  const first = await startServer(root);
  const { port } = new URL(first.url);
  const window = await openBridged(first.url, workTree({}), { era: "2025" });
  await window.call("shape_bot");
  await first.close();
  (await import("node:fs")).rmSync(`${root}/.waymark/team/keys.jsonl`);
  await startServer(root, { http: `127.0.0.1:${port}` });
  // sub-agents on one connection find it out at once
  const calls = [1, 2, 3, 4].map(() => window.call("get_workflow_state"));
  for (const answer of await Promise.all(calls)) expect(answer.error).toBeUndefined();
  expect(await window.call("shape_bot")).toMatchObject({ action: "gather_context" });
});
