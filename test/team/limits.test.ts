import { expect, it, onTestFinished, vi } from "vitest";
import { openTeamServer } from "../../src/app/open-team-server.ts";
import { parseBind } from "../../src/http/bind.ts";
import type { Quota } from "../../src/http/quota.ts";
import { serverLog } from "../../src/http/server-log.ts";
import { startTeam } from "../../src/http/start-team.ts";
import { version } from "../../src/version.ts";
import { runCli } from "../command-line.ts";
import { cuttable } from "../cuttable.ts";
import { freshProject, postgresUrl } from "../postgres.ts";
import { makeProject } from "../project.ts";
import { makeToken, openHttp, startServer } from "./server.ts";

const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
});

/** Sends the first message of a session; what comes back is read to its end, so that the call is over. */
async function begin(url: string, token?: string): Promise<Response> {
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(url, { method: "POST", headers, body: initialize });
  const text = await response.text();
  return new Response(text, { status: response.status, headers: response.headers });
}

async function errorIn(response: Response): Promise<string> {
  return JSON.parse(await response.text()).error;
}

/** The first no to whoever comes: for half a second what is known of tokens is believed. */
async function turnedAway(url: string): Promise<Response> {
  const response = await begin(url);
  return response.status === 503 ? response : turnedAway(url);
}

/** A server that bears less than usual. */
async function startSmall(root: string, quota: Quota): Promise<string> {
  const opened = await openTeamServer({ root });
  const bind = parseBind("127.0.0.1:0");
  if (bind === undefined) throw new Error("127.0.0.1:0 is an address.");
  const { projects, team } = opened;
  const log = serverLog(() => undefined);
  const { url, close } = await startTeam({ projects, team, bind, version, log, quota, patienceMs: 300_000 });
  onTestFinished(() => close(5000).then(opened.close));
  return url;
}

it("a principal that asks too often is answered 429 and when to come again; another one is not", async () => {
  const { root } = makeProject();
  const [one, other] = [await makeToken(root, "one", "agent"), await makeToken(root, "other", "agent")];
  const url = await startSmall(root, { perSecond: 0.001, burst: 2, calls: 10, streams: 10 });
  expect([(await begin(url, one)).status, (await begin(url, one)).status]).toEqual([200, 200]);
  const refused = await begin(url, one);
  expect([refused.status, refused.headers.get("retry-after"), await errorIn(refused)]).toEqual([
    429,
    expect.stringMatching(/^\d+$/),
    "unavailable",
  ]);
  expect((await begin(url, other)).status).toBe(200);
});

it("a principal with too much under way is answered 429 until something of it is done; another one is not", async () => {
  const { root } = makeProject();
  const [one, other] = [await makeToken(root, "one", "agent"), await makeToken(root, "other", "agent")];
  const url = await startSmall(root, { perSecond: 1000, burst: 1000, calls: 2, streams: 10 });
  let answer: (said: { action: "accept"; content: { answer: string } }) => void = () => undefined;
  let isAsked: () => void = () => undefined;
  const asked = new Promise<void>((done) => (isAsked = done));
  const person = () => {
    isAsked();
    return new Promise<{ action: "accept"; content: { answer: string } }>((done) => (answer = done));
  };
  const window = await openHttp(url, { token: one, person });
  await window.call("story_bot");
  const waiting = window.call("complete_action", { outputs: { done: true } });
  await asked; // one call is under way for as long as the person thinks; a second one may come, a third may not
  const threeAtOnce = async () =>
    (await Promise.all([begin(url, one), begin(url, one), begin(url, one)])).map(({ status }) => status);
  await expect.poll(threeAtOnce).toContain(429); // on a busy machine the three may come one after the other
  expect((await begin(url, other)).status).toBe(200);
  answer({ action: "accept", content: { answer: "yes" } });
  expect((await waiting).status).toBe("completed");
  await expect.poll(async () => (await begin(url, one)).status).toBe(200);
});

it("a store that is away: the call is refused as unavailable, /readyz is 503, the process lives, and all is well again with the store", async () => {
  const way = await cuttable(await postgresUrl());
  const { root } = makeProject();
  const server = await startServer(root, { store: `${way.url}?schema=away_test`, project: freshProject() });
  const at = (path: string): Promise<Response> => fetch(new URL(path, server.url));
  const window = await server.open();
  expect(await window.call("shape_bot")).toMatchObject({ status: "started" });
  expect((await at("/readyz")).status).toBe(200);
  way.cut();
  // Whoever was let in a moment ago hears it from the tool, whoever comes now at the door: nothing is recorded either way.
  const [refused, transport, ready] = await Promise.all([
    window.call("complete_action", { confirmation: "yes" }).catch((error: unknown) => String(error)),
    turnedAway(server.url),
    at("/readyz"),
  ]);
  if (typeof refused === "string") expect(refused).toContain("unavailable");
  else expect(refused).toMatchObject({ isError: true, error: "unavailable" });
  expect([transport.status, transport.headers.get("retry-after"), await errorIn(transport)]).toEqual([
    503,
    "1",
    "unavailable",
  ]);
  expect([ready.status, await errorIn(ready)]).toEqual([503, "unavailable"]);
  expect((await at("/healthz")).status).toBe(200);
  way.mend();
  await expect.poll(async () => (await at("/readyz")).status).toBe(200);
  expect(await window.call("complete_action", { confirmation: "yes" })).toMatchObject({ status: "completed" });
  way.close();
});

it("what a caller without a session began more than half an hour ago is interrupted; a session keeps what is its own", async () => {
  const { root } = makeProject();
  const server = await startServer(root);
  const [stateless, session] = [await server.open({ era: "2026" }), await server.open({ era: "2025" })];
  await stateless.call("shape_bot");
  await session.call("shape_bot", { run: "other" });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(Date.now() + 29 * 60_000);
  expect((await stateless.call("shape_bot")).status).toBe("started");
  vi.setSystemTime(Date.now() + 2 * 60_000);
  expect((await stateless.call("shape_bot")).status).toBe("interrupted");
  expect((await session.call("shape_bot", { run: "other" })).status).toBe("started");
  expect((await stateless.call("shape_bot", { resume: "continue" })).status).toBe("started");
  expect((await stateless.call("shape_bot")).status).toBe("started"); // what it took up again is its own again
});

it("a token that is taken back is refused by every replica, and so is the session that was begun with it", async () => {
  const { root } = makeProject();
  const store = `${await postgresUrl()}?schema=revoked_test`;
  const project = freshProject();
  const servers = [await startServer(root, { store, project }), await startServer(root, { store, project })];
  const add = ["token", "add", "claude", "--role", "agent", "--root", root, "--store", store, "--json"];
  const { token } = JSON.parse((await runCli(add)).stdout);
  const windows = await Promise.all(servers.map((server) => server.open({ token })));
  for (const window of windows) expect((await window.call("shape_bot", { run: "r" })).isError).toBe(false);
  await runCli(["token", "revoke", "claude", "--root", root, "--store", store]);
  for (const [at, server] of servers.entries()) {
    await expect.poll(async () => (await begin(server.url, token)).status).toBe(401);
    await expect(windows[at]?.call("shape_bot", { run: "r" })).rejects.toThrow(/forbidden|revoked|401/i);
  }
});

it("an agent never approves: neither its words nor its client's yes are the word that a gate wants proven", async () => {
  const project = makeProject();
  project.write(
    ".waymark/base_actions/gather_context/gate-definition.yaml",
    "approval:\n  level: proven\n  by: [dana]\n",
  );
  const token = await makeToken(project.root, "claude", "agent");
  const server = await startServer(project.root);
  const yes = () => ({ action: "accept" as const, content: { answer: "yes" } });
  for (const person of [undefined, yes]) {
    const window = await server.open({ token, ...(person === undefined ? {} : { person }) });
    await window.call("shape_bot", { resume: "continue" });
    const answer = await window.call("complete_action", { confirmation: "Dana says yes" });
    expect(answer).toMatchObject({ status: "awaiting_human" });
    expect(JSON.stringify(answer)).toContain("dana");
  }
});

it("there is nothing to complete a name with: no project's names leave by completions", async () => {
  const server = await startServer(makeProject().root);
  for (const era of ["2025", "2026"] as const) {
    const { client } = await server.open({ era });
    const ref = { type: "ref/resource" as const, uri: "waymark://content/{run}/{+path}" };
    await expect(client.complete({ ref, argument: { name: "run", value: "" } })).rejects.toThrow();
  }
});
