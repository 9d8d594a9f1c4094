import { spawn } from "node:child_process";
import { execPath } from "node:process";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it, onTestFinished } from "vitest";
import { runCli, waymark } from "../command-line.ts";
import { freshProject, postgresUrl } from "../postgres.ts";
import { connect, eras } from "../window.ts";
import { serverProject } from "./bridging.ts";
import { makeToken, openHttp, startServer } from "./server.ts";

const honest = { evidence: { summary: "done" }, confirmation: "yes" };

/** A project whose first completion waits: no runner is there. */
async function twoReplicas() {
  const { root } = serverProject();
  const store = { store: await postgresUrl(), project: freshProject() };
  return { root, one: await startServer(root, store), other: await startServer(root, store) };
}

/** A replica in a process of its own. */
async function process(
  root: string,
  store: readonly string[],
): Promise<{ readonly url: string; kill(signal?: "SIGTERM"): void }> {
  const child = spawn(execPath, [waymark, "serve", "--http", "127.0.0.1:0", "--root", root, ...store], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const kill = (signal: "SIGTERM" | "SIGKILL" = "SIGKILL"): void => void child.kill(signal);
  onTestFinished(() => kill());
  const line = await new Promise<string>((done) => child.stdout.once("data", (chunk) => done(String(chunk))));
  return { url: JSON.parse(line).listening, kill };
}

it("a call that a dying replica holds ends at once, in both eras", async () => {
  const { root } = serverProject();
  const store = ["--store", await postgresUrl(), "--project", freshProject()];
  const [one, other] = await Promise.all([process(root, store), process(root, store)]);
  let isDead = false;
  const calls = eras.map(async (era) => {
    const transport = new StreamableHTTPClientTransport(new URL(one.url), {
      fetch: (_, init) => fetch(isDead ? other.url : one.url, init),
    });
    const window = await connect(transport, { era });
    onTestFinished(window.close);
    await window.call("shape_bot", { run: era });
    return { answer: window.call("complete_action", { ...honest, run: era }).catch((fault: Error) => fault) };
  });
  const under = await Promise.all(calls);
  const metrics = async (): Promise<string> => (await fetch(one.url.replace("/mcp", "/metrics"))).text();
  await expect.poll(async () => /calls\S* (\d+)/.exec(await metrics())?.[1]).toBe("2");
  isDead = true;
  one.kill();
  const from = performance.now();
  for (const { answer } of under) expect(await answer).toBeInstanceOf(Error);
  expect(performance.now() - from).toBeLessThan(45_000); // the client itself gives up after 60 s
});

it("a replica that is asked to end tells balancers first, and takes calls on new connections meanwhile", async () => {
  const { root } = serverProject();
  const { url, kill } = await process(root, ["--store", await postgresUrl(), "--project", freshProject()]);
  const ready = async (): Promise<number> => (await fetch(url.replace("/mcp", "/readyz"))).status;
  expect(await ready()).toBe(200);
  kill("SIGTERM");
  await expect.poll(ready, { interval: 10 }).toBe(503);
  expect((await fetch(url.replace("/mcp", "/healthz"))).status).toBe(200);
});

it("a cancelled call ends at whichever replica holds it", async () => {
  const { one, other } = await twoReplicas();
  let held = 0;
  const transport = new StreamableHTTPClientTransport(new URL(one.url), {
    // The call goes to one replica, what comes after it to the other.
    fetch: (_, init) => {
      const isCall = String(init?.body ?? "").includes('"complete_action"');
      if (isCall) held += 1;
      return fetch(held > 0 && !isCall ? other.url : one.url, init);
    },
  });
  const window = await connect(transport, { era: "2025" });
  onTestFinished(window.close);
  await window.call("shape_bot");
  const stop = new AbortController();
  const call = window.client.callTool({ name: "complete_action", arguments: honest }, { signal: stop.signal });
  call.catch(() => undefined);
  const open = async (): Promise<string> => await (await fetch(one.url.replace("/mcp", "/metrics"))).text();
  const underWay = /waymark_[a-z_]*calls[a-z_]* (\d+)/;
  await expect.poll(async () => underWay.exec(await open())?.[1]).toBe("1");
  stop.abort();
  await expect(call).rejects.toThrow();
  await expect.poll(async () => underWay.exec(await open())?.[1]).toBe("0");
});

it("a batch counts as its calls", async () => {
  const { root } = serverProject();
  const { url, log } = await startServer(root, { quota: { perSecond: 1, burst: 20, calls: 10, streams: 10 } });
  const send = (calls: number): Promise<Response> =>
    fetch(url, {
      method: "POST",
      headers: { accept: "application/json, text/event-stream", "content-type": "application/json" },
      body: JSON.stringify(Array.from({ length: calls }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" }))),
    });
  expect((await send(30)).status).toBe(429);
  expect((await send(15)).status).not.toBe(429);
  expect((await send(10)).status).toBe(429);
  expect(log()).toContain("429");
});

it("a revoked token's streams end within a second, whatever they wait for", async () => {
  const { root } = serverProject();
  const token = await makeToken(root, "anna", "agent");
  const { url } = await startServer(root);
  const window = await openHttp(url, { token, era: "2025" });
  await window.call("shape_bot");
  const session = (window.client.transport as StreamableHTTPClientTransport).sessionId ?? "";
  const listening = await fetch(url, {
    headers: { accept: "text/event-stream", authorization: `Bearer ${token}`, "mcp-session-id": session },
  });
  expect([200, 409]).toContain(listening.status);
  const call = await fetch(url, {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      authorization: `Bearer ${token}`,
      "mcp-session-id": session,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 9,
      method: "tools/call",
      params: { name: "complete_action", arguments: honest },
    }),
  });
  expect(call.headers.get("content-type")).toContain("text/event-stream");
  const ended = call.text().then(() => performance.now());
  const from = performance.now();
  await runCli(["token", "revoke", "anna", "--root", root]);
  expect((await ended) - from).toBeLessThan(5000); // the wait for a runner takes 20 s
});

it("tokens rotate without a gap, and expire", async () => {
  const { root } = serverProject();
  const old = await makeToken(root, "anna", "agent");
  const { url, open } = await startServer(root);
  const before = await open({ token: old, era: "2026" });
  const { attempt } = await before.call("shape_bot");
  const renewed = JSON.parse(
    (await runCli(["token", "add", "anna", "--role", "agent", "--expires", "90d", "--root", root, "--json"])).stdout,
  );
  expect(renewed.expiresAt).toMatch(/^20/);
  expect((await runCli(["token", "add", "anna", "--role", "agent", "--root", root])).stderr).toContain("--older");
  expect((await runCli(["token", "add", "anna", "--role", "viewer", "--root", root])).code).toBe(1);
  const after = await open({ token: renewed.token, era: "2026" });
  // The same person goes on where they were.
  expect(await after.call("shape_bot")).toMatchObject({ status: "started", attempt });
  expect((await runCli(["token", "revoke", "anna", "--older", "--root", root])).code).toBe(0);
  const status = async (token: string): Promise<number> =>
    (
      await fetch(url, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: "{}",
      })
    ).status;
  await expect.poll(() => status(old)).toBe(401);
  expect(await status(renewed.token)).not.toBe(401);
  const [listed] = JSON.parse((await runCli(["token", "list", "--root", root, "--json"])).stdout).filter(
    (one: { revokedAt?: string }) => one.revokedAt === undefined,
  );
  expect(listed).toMatchObject({ name: "anna", expiresAt: renewed.expiresAt });
  expect(listed.lastUsedAt).toMatch(/^20/);
  const short = JSON.parse(
    (await runCli(["token", "add", "ben", "--role", "agent", "--expires", "1s", "--root", root, "--json"])).stdout,
  );
  await expect.poll(() => status(short.token)).toBe(401);
});
