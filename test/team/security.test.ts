import { appendFileSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { connect as connectTcp } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startHttp } from "../../src/cli/team/serve-http.ts";
import { runCli } from "../command-line.ts";
import { addWorkflow, callPhase } from "../phased.ts";
import { makeProject, type Project } from "../project.ts";
import { makeToken, startServer } from "./server.ts";

type Got = { readonly status: number; readonly body: string; readonly headers: Record<string, unknown> };

/** Sends a request as no browser or client would: with headers of its own choosing. */
function send(
  url: string,
  headers: Record<string, string> = {},
  body?: string | Buffer,
  method = "POST",
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const usual = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const request = httpRequest(url, { method, headers: { ...usual, ...headers } }, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += String(chunk)));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }));
    });
    request.on("error", reject);
    request.end(body);
  });
}

const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
});
const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

it("a name that leads here without being ours, and a wrong port, are 421; a page of somebody else is 403", async () => {
  const { url } = await startServer(makeProject().root);
  const { port } = new URL(url);
  for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1", "127.0.0.1:1", `localhost.evil:${port}`])
    expect((await send(url, { host }, initialize)).status, host).toBe(421);
  for (const origin of ["http://evil.example", "null", "http://127.0.0.1:1", `https://127.0.0.1:${port}`])
    expect((await send(url, { origin }, initialize)).status, origin).toBe(403);
  expect((await send(url, { host: `localhost:${port}`, origin: `http://localhost:${port}` }, initialize)).status).toBe(
    200,
  );
});

it("the public address is one of ours", async () => {
  const { url } = await startServer(makeProject().root, { publicUrl: "https://waymark.example" });
  expect((await send(url, { host: "waymark.example", origin: "https://waymark.example" }, initialize)).status).toBe(
    200,
  );
});

it("without a token anybody on this machine calls; with one nobody does without it, and a revoked one is gone within a second", async () => {
  const { root } = makeProject();
  const { url } = await startServer(root);
  expect((await send(url, {}, initialize)).status).toBe(200);
  const token = await makeToken(root, "claude", "agent");
  await expect.poll(async () => (await send(url, {}, initialize)).status).toBe(401);
  expect((await send(url, {}, initialize)).headers["www-authenticate"]).toContain("Bearer");
  expect((await send(url, bearer("wm_wrong"), initialize)).status).toBe(401);
  expect((await send(url, bearer(token), initialize)).status).toBe(200);
  await runCli(["token", "revoke", "claude", "--root", root]);
  const revokedAt = performance.now();
  await expect.poll(async () => (await send(url, bearer(token), initialize)).status).toBe(401);
  expect(performance.now() - revokedAt).toBeLessThan(60_000);
  expect((await send(url, {}, initialize)).status).toBe(401);
});

it("an address that others reach is not served without a token", async () => {
  const { root } = makeProject();
  await expect(startHttp({ http: "0.0.0.0:0", root }, () => undefined)).rejects.toThrow("there is no token");
});

/** What may become of the file of tokens while a server runs. */
const losses: readonly (readonly [string, (file: string) => void])[] = [
  ["is gone", (file) => rmSync(file)],
  ["is empty", (file) => writeFileSync(file, "")],
  ["cannot be read", (file) => writeFileSync(file, "\0\0\0\0")],
  ["says nothing of tokens", (file) => writeFileSync(file, "null\n[]\n7\n")],
];

it.each(losses)(
  "where a token was seen nobody is let in without one, whatever its file comes to: it %s",
  async (_, lose) => {
    const { root } = makeProject();
    const token = await makeToken(root, "claude", "agent");
    const { url } = await startServer(root);
    lose(join(root, ".waymark/team/tokens.jsonl"));
    const { origin } = new URL(url);
    for (const headers of [{}, bearer(token)]) {
      expect((await send(url, headers, initialize)).status).toBe(401);
      expect((await send(`${origin}/api/runs`, headers, undefined, "GET")).status).toBe(401);
    }
  },
);

it.each(losses)(
  "on an address that others reach nobody is ever let in without a token: its file %s",
  async (_, lose) => {
    const { root } = makeProject();
    await makeToken(root, "claude", "agent");
    const { url } = await startServer(root, { http: "0.0.0.0:0" });
    lose(join(root, ".waymark/team/tokens.jsonl"));
    const there = url.replace("0.0.0.0", "127.0.0.1");
    expect((await send(there, {}, initialize)).status).toBe(401);
    expect((await send(`${new URL(there).origin}/api/runs`, {}, undefined, "GET")).status).toBe(401);
  },
);

it("lines of tokens that cannot be read are not taken for no tokens, and whoever runs the server is told of them", async () => {
  const { root, path, write } = makeProject();
  write(".waymark/team/tokens.jsonl", '\n{"add":{"name":"cla\n');
  const { url, log } = await startServer(root);
  expect((await send(url, {}, initialize)).status).toBe(401);
  expect(log()).toContain("cannot be read");
  const token = await makeToken(root, "claude", "agent");
  expect((await send(url, bearer(token), initialize)).status).toBe(200);
  appendFileSync(path(".waymark/team/tokens.jsonl"), '{"add":{"name":"all","hash":5}}\n');
  const listed = await runCli(["token", "list", "--root", root]);
  expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining("claude")]);
  expect(listed.stderr).toContain("2 lines of the token file cannot be read");
});

it("taking the last token back does not open the door, nor does starting again after it", async () => {
  const { root } = makeProject();
  await makeToken(root, "claude", "agent");
  await runCli(["token", "revoke", "claude", "--root", root]);
  const { url } = await startServer(root);
  expect((await send(url, {}, initialize)).status).toBe(401);
});

it("a token whose role this version does not know lets its bearer look, and no more", async () => {
  const { root, path, read } = makeProject();
  const token = await makeToken(root, "claude", "agent");
  writeFileSync(
    path(".waymark/team/tokens.jsonl"),
    read(".waymark/team/tokens.jsonl").replace('"agent"', '"administrator"'),
  );
  const { open } = await startServer(root);
  const window = await open({ token });
  expect(await window.call("story_bot")).toMatchObject({ isError: true, error: "forbidden" });
});

it("a body over 10 MB is 413, one deeper than 200 levels is refused, and neither reaches a tool", async () => {
  const { url } = await startServer(makeProject().root);
  const large = await send(url, {}, Buffer.alloc(10 * 1024 * 1024 + 1, 0x20));
  expect([large.status, JSON.parse(large.body).error]).toEqual([413, "too_large"]);
  const deep = await send(url, {}, `{"params":${"[".repeat(5000)}${"]".repeat(5000)}}`);
  expect([deep.status, JSON.parse(deep.body).error]).toEqual([400, "invalid_input"]);
  const garbage = await send(url, {}, "{");
  expect([garbage.status, JSON.parse(garbage.body).error]).toEqual([400, "invalid_input"]);
});

it("session ids that were guessed, changed, ended or belong to another token or project do not exist", async () => {
  const { root, projects } = twoProjects();
  const [mine, other] = [await makeToken(root, "mine", "agent"), await makeToken(root, "other", "agent")];
  const { url } = await startServer(root, { projects });
  const began = await send(`${url}/one`, bearer(mine), initialize);
  const id = String(began.headers["mcp-session-id"]);
  const session = { "mcp-session-id": id };
  const list = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list", params: {} });
  expect((await send(`${url}/one`, { ...bearer(mine), ...session }, list)).status).toBe(200);
  expect((await send(`${url}/one`, { ...bearer(other), ...session }, list)).status).toBe(404);
  expect((await send(`${url}/two`, { ...bearer(mine), ...session }, list)).status).toBe(404);
  for (const guessed of ["x", id.slice(0, -2), `${id.split(".")[0]}.`, `${id}.x`, "../../etc"])
    expect((await send(`${url}/one`, { ...bearer(mine), "mcp-session-id": guessed }, list)).status, guessed).toBe(404);
  expect((await send(`${url}/one`, bearer(mine), list)).status).toBe(400);
  expect((await send(`${url}/one`, { ...bearer(mine), ...session }, undefined, "DELETE")).status).toBe(200);
  expect((await send(`${url}/one`, { ...bearer(mine), ...session }, list)).status).toBe(404);
});

it("another project's runs, sessions, resources and search do not exist, nor does a project that is named by a path", async () => {
  const { root, projects } = twoProjects();
  const token = await makeToken(root, "mine", "agent", "one");
  const all = await makeToken(root, "all", "agent");
  const { url, open } = await startServer(root, { projects });
  for (const name of ["two", "three", "..", "%2e%2e", "one/../two", "one%2f..%2ftwo", "", "__proto__"])
    expect((await send(`${url}/${name}`, bearer(token), initialize)).status, name).toBe(404);
  expect((await send(url, bearer(all), initialize)).status).toBe(404);

  const there = await open({ token: all, project: "two" });
  const { session_id } = await callPhase(there, "start_workflow", { workflow_type: "plan" });
  expect(session_id).toEqual(expect.any(String));
  const here = await open({ token, project: "one" });
  expect(await here.call("get_workflow_state", { session_id })).toMatchObject({ error: "session_not_found" });
  expect(await here.call("get_workflow_state")).toMatchObject({ sessions: [] });
  const uris = (await here.client.listResources()).resources.map(({ uri }) => uri);
  expect(uris.join()).not.toContain(session_id);
  await expect(here.client.readResource({ uri: `waymark://sessions/${session_id}/state` })).rejects.toThrow(
    "no resource",
  );
  const found = await here.call("search_standards", { query: "two only" });
  expect(JSON.stringify(found)).not.toContain("secret of two");
  expect(JSON.stringify(await there.call("search_standards", { query: "two only" }))).toContain("secret of two");
});

it("a viewer reads and does nothing else; an agent corrects no rule; what a token lacks is forbidden", async () => {
  const project = makeProject();
  const { root } = project;
  project.write(".waymark/bots/story_bot/rules/plain.json", { description: "Plain words", examples: [] });
  const tokens: string[] = [];
  for (const role of ["viewer", "agent", "approver", "runner", "author"])
    tokens.push(await makeToken(root, role, role));
  const [viewer = "", agent = "", approver = "", runner = "", writer = ""] = tokens;
  const { open, url } = await startServer(root);
  for (const token of [viewer, approver]) {
    const window = await open({ token });
    expect(await window.call("story_bot")).toMatchObject({ isError: true, error: "forbidden" });
    expect(await window.call("complete_action", { outputs: {} })).toMatchObject({ isError: true, error: "forbidden" });
    expect((await window.client.readResource({ uri: "waymark://story_bot/state" })).contents).toHaveLength(1);
  }
  const window = await open({ token: agent, person: () => ({ action: "accept", content: { answer: "yes" } }) });
  const inputs = { rule: "plain", dont: "utilize", do: "use" };
  expect(await window.call("story_bot", { action: "correct_bot", inputs })).toMatchObject({ error: "forbidden" });
  expect(project.read(".waymark/bots/story_bot/rules/plain.json")).not.toContain("utilize");
  expect((await send(url, bearer(runner), initialize)).status).toBe(403);
  const author = await open({
    token: writer,
    person: () => ({ action: "accept", content: { answer: "yes" } }),
  });
  expect((await author.call("story_bot", { action: "correct_bot", inputs })).error).toBeUndefined();
  expect(project.read(".waymark/bots/story_bot/rules/plain.json")).toContain("utilize");
});

it("whoever may only look finds every tool forbidden but those that read, by a sentence that says whose it is", async () => {
  const project = makeProject();
  addWorkflow(project, { type: "plan" });
  project.write(".waymark/standards/tea.md", "# Tea\n\nIs brewed.\n");
  const tokens = [await makeToken(project.root, "v", "viewer"), await makeToken(project.root, "p", "approver")];
  const { open } = await startServer(project.root);
  for (const token of tokens) {
    const window = await open({ token });
    const { tools } = await window.client.listTools();
    expect(tools.length).toBeGreaterThan(10);
    for (const { name } of tools) {
      const answer = await window.call(name, name === "search_standards" ? { query: "tea" } : {});
      const isReading = ["search_standards", "get_workflow_state"].includes(name);
      expect([name, answer.error]).toEqual([name, isReading ? undefined : "forbidden"]);
      if (!isReading) expect(`${answer.message} ${answer.required_action}`).toContain("agent");
    }
  }
  expect(project.read(".waymark/team/tokens.jsonl")).toContain("viewer");
  expect(existsSync(project.path("workflow_state.json"))).toBe(false);
});

it("content needs its text, and a path without one is refused with that reason", async () => {
  const project = makeProject();
  project.write("notes.md", "on the server");
  const { open } = await startServer(project.root);
  const window = await open();
  await window.call("story_bot");
  const answer = await window.call("complete_action", { content: [{ path: "notes.md" }], confirmation: "yes" });
  expect(answer).toMatchObject({ error: "invalid_input", isError: true, kept: { outputs: [], content: [] } });
  expect(answer.message).toContain("does not see your files");
});

it("a sender that stops in the middle is cut off, and nobody else waits", async () => {
  const { url } = await startServer(makeProject().root);
  const { port } = new URL(url);
  const slow = connectTcp(Number(port), "127.0.0.1");
  slow.on("error", () => undefined);
  slow.write(
    `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  );
  expect((await send(url, {}, initialize)).status).toBe(200);
  slow.destroy();
});

/** Two projects of one server, alike but for their standards. */
function twoProjects(): { readonly root: string; readonly projects: string } {
  const { root } = makeProject();
  const entries = ["one", "two"].map((name) => {
    const project: Project = makeProject();
    addWorkflow(project, { type: "plan" });
    project.write(".waymark/standards/only.md", `# ${name} only\n\nThe secret of ${name}, for ${name} only.\n`);
    return [name, { definitions: join(project.root, ".waymark") }];
  });
  const projects = join(root, "projects.json");
  writeFileSync(projects, JSON.stringify(Object.fromEntries(entries)));
  return { root, projects };
}
