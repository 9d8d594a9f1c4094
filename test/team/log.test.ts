import { connect } from "node:net";
import { expect, it } from "vitest";
import { serverLog } from "../../src/http/server-log.ts";
import { freshProject, postgresUrl } from "../postgres.ts";
import { makeProject } from "../project.ts";
import { eras } from "../window.ts";
import { makeToken, startServer } from "./server.ts";

/** Nothing else contains it. */
const hidden = "xyzzy-kept-private";

it.each(eras)(
  "no line of the log holds a token, a session, or anything that was sent or answered (%s)",
  async (era) => {
    const { root } = makeProject();
    const store = { store: await postgresUrl(), project: freshProject() };
    const quiet = await startServer(root, store);
    const anybody = await quiet.open({
      era,
      person: () => ({ action: "accept", content: { answer: "yes", comment: hidden } }),
    });
    await anybody.call("story_bot", { run: hidden, inputs: { note: hidden } });
    const content = [{ path: `docs/${hidden}.md`, text: hidden }];
    const given = { run: hidden, outputs: { note: hidden }, evidence: { found: hidden }, content };
    expect((await anybody.call("complete_action", given)).status).toBe("completed");
    expect((await anybody.call("complete_action", { ...given, confirmation: hidden })).error).toBeDefined();
    expect((await anybody.call("complete_action", { run: [hidden] })).error).toBe("invalid_input");
    await expect(anybody.client.readResource({ uri: `waymark://${hidden}` })).rejects.toThrow();
    await anybody.client.getPrompt({ name: "story_bot", arguments: { note: hidden } }).catch(() => undefined);
    expect(quiet.log()).toContain('"tool":"complete_action"');
    expect(quiet.log()).not.toContain(hidden);
  },
);

it("a token is written down nowhere: right or wrong, in its header or where none belongs", async () => {
  const { root } = makeProject();
  const token = await makeToken(root, "claude", "agent");
  const server = await startServer(root);
  const window = await server.open({ token });
  await window.call("story_bot");
  await window.call(token).catch(() => undefined);
  const post = (headers: Record<string, string>, body: string, path = ""): Promise<Response> =>
    fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    });
  const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: token, params: { name: token } });
  expect((await post({ authorization: `Bearer ${token}x` }, message)).status).toBe(401);
  for (const body of [message, `{"${token}`, `${"[".repeat(300)}"${token}"`])
    await post({ authorization: `Bearer ${token}`, "mcp-session-id": token }, body);
  await post({}, message, `/${token}?token=${token}`);
  const lines = server.log().trim().split("\n");
  for (const line of lines) expect(line).not.toContain(token.slice(3, 30));
  const said = lines.map((line) => JSON.parse(line));
  expect(said).toContainEqual(expect.objectContaining({ event: "call", by: "claude", tool: "story_bot", status: 200 }));
  expect(said).toContainEqual(expect.objectContaining({ event: "call", status: 401 }));
});

it("of a fault the log has its kind and its place, and nothing of its message, however that looks", () => {
  const lines: string[] = [];
  const log = serverLog((line) => lines.push(line));
  log.fault(new TypeError(`no such thing:\n    at ${hidden}\n    at ${hidden}:1:1`));
  log.fault(hidden);
  expect(lines.join("")).not.toContain(hidden);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: "fault", fault: "TypeError", where: expect.stringContaining("log.test.ts") },
    { event: "fault", fault: "string" },
  ]);
});

/** Sends bytes as they are, and returns what comes back. */
function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on("data", (part) => (answer += part)).on("close", () => resolve(answer));
    socket.on("error", () => resolve(answer));
  });
}

it("every refused request is in the log with its status and its reason, and none of what was sent", async () => {
  const { root } = makeProject();
  const token = await makeToken(root, "claude", "agent");
  const server = await startServer(root);
  const { host } = new URL(server.url);
  const post = (headers: Record<string, string>, body = "{}", path = ""): Promise<Response> =>
    fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    });
  const authorization = `Bearer ${token}`;
  await sendRaw(server.url, `GET /mcp HTTP/1.1\r\nHost: ${hidden}.example\r\n\r\n`);
  await post({ origin: `https://${hidden}.example` });
  await post({});
  await post({ authorization }, `{"${hidden}`);
  await post({ authorization }, `${"[".repeat(300)}`);
  await post({ authorization }, "{}", `/${hidden}`);
  await fetch(new URL("/api/page", server.url));
  expect(await sendRaw(server.url, `${hidden}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
  expect(await sendRaw(server.url, `GET / HTTP/1.1\r\nHost: ${host}\r\nX: ${hidden.repeat(2000)}\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 431 /,
  );
  const said: Record<string, unknown>[] = server
    .log()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const refused = said.filter(({ status }) => Number(status) >= 400);
  expect(refused.map(({ status, code, reason }) => [status, code, reason])).toEqual([
    [421, "forbidden", "The Host header names another server."],
    [403, "forbidden", "The Origin header names a page of another server."],
    [401, "forbidden", "This server needs a token. Send it as Authorization: Bearer."],
    [400, "invalid_input", "The request is not valid JSON."],
    [400, "invalid_input", "The data is nested too deeply: at most 200 levels."],
    [404, "invalid_input", "Not found."],
    [401, "forbidden", "This server needs a token. Send it as Authorization: Bearer."],
    [400, "invalid_input", "It is not an HTTP request."],
    [431, "invalid_input", "The headers are too long."],
  ]);
  expect(server.log()).not.toContain(hidden);
});
