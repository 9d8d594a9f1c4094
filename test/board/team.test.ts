import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { askAt } from "../board.ts";
import { runCli } from "../command-line.ts";
import { provenProject } from "../page.ts";
import { givePasskey } from "../passkey.ts";
import { freshProject, postgresUrl } from "../postgres.ts";
import { makeProject } from "../project.ts";
import { makeToken, startServer } from "../team/server.ts";

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const judged = { workflow: "shape", step: "gather_context" };
const at = "/api/runs/bot%3Astory_bot";

// Attack (network): Approve on a team's dashboard with an agent's, a runner's or a viewer's token
// -> Refused: `forbidden`. An approver's token and a passkey that is trusted there are both needed
test("a team sees its runs at /: with a viewer's, an approver's or an author's token; an approval needs an approver's and a passkey", async () => {
  const { root } = provenProject();
  const server = await startServer(root, { publicUrl: "https://waymark.example" });
  const port = Number(new URL(server.url).port);
  const get = (path: string, token = "") => askAt(port, path, token === "" ? {} : bearer(token));

  // Until there is a token, whoever sits at this machine looks.
  expect((await get("/api/page")).data).toMatchObject({ kind: "board", project: "default", approves: true });
  expect((await get("/")).headers["content-type"]).toContain("text/html");
  const agent = await makeToken(root, "claude", "agent");
  const [viewer, author, approver, runner] = [
    await makeToken(root, "vera", "viewer"),
    await makeToken(root, "ada", "author"),
    await makeToken(root, "dana", "approver"),
    await makeToken(root, "ci", "runner"),
  ];
  await expect.poll(async () => (await get("/api/runs")).status).toBe(401);
  expect((await get("/")).status).toBe(200); // its files hold nothing
  const window = await server.open({ token: agent });
  await window.call("shape_bot");
  const waiting = await window.call("complete_action", { outputs: { users: "clerks" } });
  expect(waiting, waiting.text).toMatchObject({ status: "awaiting_human" });
  for (const path of ["/api/page", "/api/runs", at, `${at}/records`, "/api/inbox", "/api/audit", "/api/live"])
    for (const token of [agent, runner])
      expect((await get(path, token)).data, path).toMatchObject({ error: "forbidden" });
  expect((await get("/api/page", viewer)).data).toMatchObject({ name: "vera", role: "viewer", approves: false });
  expect((await get("/api/page", author)).data).toMatchObject({ role: "author", approves: false });
  expect((await get("/api/process", viewer)).data.findings).toBeUndefined();
  expect((await get("/api/process", author)).data.findings).toBeInstanceOf(Array);
  expect((await get("/api/inbox", viewer)).data.items).toMatchObject([{ key: "bot:story_bot", ...judged }]);

  const dana = await givePasskey(root, "dana", "waymark.example");
  const { data: shown } = await get(`${at}/judging?workflow=shape&step=gather_context`, viewer);
  expect(shown).toMatchObject({ standing: "waits", people: [{ name: "dana", trusted: true }] });
  const origin = "https://waymark.example";
  const tell = (act: string, token: string, body: object) =>
    askAt(port, `${at}/${act}`, {
      headers: { authorization: `Bearer ${token}`, host: "waymark.example", origin },
      body: { ...judged, ...body },
    });
  const wanted = { decision: "approve", digest: shown.digest };
  for (const token of [viewer, author, agent])
    for (const act of ["statement", "answer"])
      expect(await tell(act, token, wanted)).toMatchObject({ status: 403, data: { error: "forbidden" } });
  const made = await tell("statement", approver, wanted);
  expect(made.data).toMatchObject({ rpId: "waymark.example", nonce: expect.any(String) });
  // A passkey's answer that was asked for elsewhere is none, with whatever token.
  const stolen = await tell("statement", approver, wanted);
  const elsewhere = dana.answer(stolen.data, "https://elsewhere.waymark.example");
  expect((await tell("answer", approver, elsewhere)).data.result).toBe("refused");
  const answer = dana.answer(made.data, origin);
  expect(await tell("answer", viewer, answer)).toMatchObject({ status: 403 });
  expect((await tell("answer", approver, answer)).data).toMatchObject({ result: "completed" });
  expect((await tell("answer", approver, answer)).status).toBe(409);
  expect((await get(at, viewer)).data).toMatchObject({
    row: { completed: 1 },
    attempts: [{ word: { level: "proven", by: ["dana"] } }],
  });
  const { data: audit } = await get("/api/audit?again=1", viewer);
  expect(audit.histories).toMatchObject([{ chain: { state: "whole" }, approvals: { proven: 1, doubtful: 0 } }]);
  expect((await get(`${at}/records`, viewer)).text).not.toContain(approver);

  // What is long is packed on its way through a network, and comes out the same.
  const headers = { authorization: `Bearer ${author}`, host: "waymark.example", "accept-encoding": "gzip" };
  const process = await askAt(port, "/api/process", { headers });
  expect(process.headers["content-encoding"]).toBe("gzip");
  expect(process.data.workflows).toHaveLength(6);
  expect((await get("/api/process", author)).headers["content-encoding"]).toBeUndefined();

  // The log says whose call it was, of which project; the page's files are nobody's.
  const lines = server.log().trim().split("\n");
  const calls = lines.map((one) => JSON.parse(one)).filter(({ route }) => route === "dashboard");
  expect(calls).toContainEqual(expect.objectContaining({ by: "vera", project: "default", status: 200 }));
  expect(calls).toContainEqual(expect.objectContaining({ by: "claude", status: 403 }));
  expect(calls.some(({ by, status }) => by === undefined && status === 401)).toBe(true);
  expect(lines.filter((one) => one.includes('"route":"other"'))).toEqual([]);

  // A token that is taken back ends what it was let into.
  await runCli(["token", "revoke", "vera", "--root", root]);
  await expect.poll(async () => (await get("/api/runs", viewer)).status).toBe(401);
});

test("over PostgreSQL, and of several projects each person sees their own: another's is as if it were not there", async () => {
  const { root } = makeProject();
  const names = [freshProject(), freshProject()];
  const projects = join(root, "projects.json");
  const entries = names.map((name) => [name, { definitions: join(makeProject().root, ".waymark") }]);
  writeFileSync(projects, JSON.stringify(Object.fromEntries(entries)));
  const server = await startServer(root, { projects, store: `${await postgresUrl()}?schema=board_test` });
  const port = Number(new URL(server.url).port);
  const [first = "", second = ""] = names;
  const window = await server.open({ project: first });
  await window.call("shape_bot");
  const get = (path: string, project?: string) =>
    askAt(port, `${path}${project === undefined ? "" : `?project=${encodeURIComponent(project)}`}`);
  expect((await get("/api/page")).data.projects).toEqual(names);
  expect((await get("/api/runs", first)).data.runs).toMatchObject([{ key: "bot:story_bot", stands: "working" }]);
  expect((await get("/api/runs", second)).data.runs).toEqual([]);
  expect((await get(at, second)).status).toBe(404);
  expect((await get("/api/runs", "../x")).status).toBe(404);
  await window.call("complete_action", { confirmation: "yes" });
  await expect.poll(async () => (await get(at, first)).data.row.completed).toBe(1);
  expect((await get("/api/audit", first)).data.histories).toHaveLength(1);
});
