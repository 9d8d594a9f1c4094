import { expect, test } from "vitest";
import { startDashboard } from "../../src/cli/people/dashboard.ts";
import { askAt, startBoard } from "../board.ts";
import { callPhase, evidenceFor, plantWorkflow } from "../phased.ts";
import { makeProject } from "../project.ts";
import { gateFile } from "../proving.ts";
import { openWindow } from "../window.ts";

const at = "/api/runs/bot%3Astory_bot";
const paths = [
  "page",
  "runs",
  "runs/x",
  "runs/x/records",
  "inbox",
  "audit",
  "process",
  "search?query=x",
  "export",
  "live",
];

// Attack (network): Reach the dashboard from another page, from another port of this machine, or by another name for it
// -> Refused, on every path; there is no cookie that a browser would send along
test("nothing is told to whoever calls it by another name, from another page, or without its token; nothing says more than it must", async () => {
  const board = await startBoard(makeProject().root);
  const { port, token } = board;
  for (const host of [
    "evil.example",
    `evil.example:${port}`,
    `127.0.0.1:${port}`,
    "localhost",
    `localhost:${port + 1}`,
  ])
    for (const path of ["/", "/api/page", "/healthz", "/anything"])
      expect((await board.ask(path, { headers: { host } })).status, `${host}${path}`).toBe(421);
  for (const path of paths) {
    for (const headers of [
      { authorization: "" },
      { authorization: "Bearer wrong" },
      { authorization: `Basic ${token}` },
    ])
      expect((await board.ask(`/api/${path}`, { headers })).status, path).toBe(401);
    // A page of another port is of the same site, and of another origin.
    for (const origin of ["http://localhost:1", "http://evil.example", "null"])
      expect((await board.ask(`/api/${path}`, { headers: { origin } })).status, path).toBe(403);
    for (const site of ["same-site", "cross-site"])
      expect((await board.ask(`/api/${path}`, { headers: { "sec-fetch-site": site } })).status, path).toBe(403);
    expect(
      (
        await board.ask(`/api/${path}${path.includes("?") ? "&" : "?"}token=${token}`, {
          headers: { authorization: "" },
        })
      ).status,
    ).toBe(401);
    const cookie = { authorization: "", cookie: `token=${token}; waymark.token=${token}` };
    expect((await board.ask(`/api/${path}`, { headers: cookie })).status, path).toBe(401);
  }
  for (const path of [
    "/",
    "/api/page",
    "/api/runs",
    "/api/nothing",
    "/healthz",
    "/../package.json",
    "/%2e%2e/package.json",
  ]) {
    const { headers } = await board.ask(path);
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control") || name === "set-cookie")).toEqual(
      [],
    );
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(headers["content-security-policy"]).not.toContain("unsafe");
    expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
  }
  const page = await board.ask("/");
  expect(page.text).not.toMatch(/<script>|<style|style=|\son\w+=|https?:\/\//);
  expect(page.text).not.toContain(token);
  for (const path of [
    "/healthz",
    "/../package.json",
    "/..%2fpackage.json",
    "/.waymark/config.json",
    "/api/runs/..%2F..%2Fx",
  ])
    expect((await board.ask(path)).status, path).toBe(404);
  expect((await board.ask("/api/runs", { method: "OPTIONS" })).status).toBe(403);
});

// Attack (shell): Open the dashboard with the address that it reads in a terminal or a file, and approve there
// -> It can read what `waymark status` shows. Approving is refused: that takes a person's passkey, with any token
test("a write comes from the board's own page as JSON, with the token; and an answer without a passkey is none", async () => {
  const project = makeProject();
  project.write(gateFile, "approval: {level: proven, by: [dana]}\n");
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  await window.call("complete_action", { outputs: { users: "clerks" } });
  const board = await startBoard(project.root);
  const judged = { workflow: "shape", step: "gather_context" };
  const { data } = await board.ask(`${at}/judging?workflow=shape&step=gather_context`);
  const body = { ...judged, decision: "approve", digest: data.digest };
  const tell = (headers: Record<string, string>, more: object = {}) =>
    board.ask(`${at}/statement`, { headers, body: { ...body, ...more } });
  for (const headers of [
    { origin: "" },
    { origin: "http://evil.example" },
    { origin: "http://localhost:1" },
    { origin: `http://127.0.0.1:${board.port}` },
    { "sec-fetch-site": "" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "none" },
  ])
    expect((await tell(headers)).status, JSON.stringify(headers)).toBe(403);
  expect((await tell({ "content-type": "text/plain" })).status).toBe(415);
  expect((await tell({ authorization: "" })).status).toBe(401);
  // Nobody has a passkey here: there is nothing to sign, and nothing else counts.
  expect((await tell({})).data).toMatchObject({ error: "forbidden" });
  expect((await tell({}, { digest: "0".repeat(64) })).status).toBe(409);
  expect((await tell({}, { workflow: "nothing" })).status).toBe(404);
  const binary = { credential: "AA", authenticatorData: "AA", clientDataJSON: "AA", signature: "AA" };
  const faked = { ...judged, nonce: "0", ...binary };
  expect((await board.ask(`${at}/answer`, { body: faked })).status).toBe(409);
  expect((await board.ask(`${at}/answer`, { body: { ...judged, confirmation: "yes" } })).status).toBe(400);
  expect((await board.ask(`${at}/approve`, { body })).status).toBe(404);
  expect(project.state().action_state).toBe("started");
});

/** What nobody should have to see as it stands: markup, a script, a terminal's colours, text that turns round, and no end. */
const hostile = `<img src=x onerror=alert(1)><script>alert(1)</script>\u001b[31mred\u0007\u202egnp.exe\u2066${"A".repeat(900_000)}`;

// Attack (tools): Submit HTML, scripts, escape codes, direction marks or endless lines for the approval page or the dashboard to show
test("hostile text in every field that an assistant can fill comes as data, cut, and without what is not seen in lists", async () => {
  const project = makeProject();
  project.write(
    gateFile,
    "evidence_schema:\n  users: {type: string, required: true, description: who}\napproval: required\n",
  );
  const window = await openWindow(project.root, { name: hostile.slice(0, 5000) });
  await window.call("shape_bot", { inputs: { note: hostile } });
  await window.call("complete_action", { evidence: { [hostile.slice(0, 300)]: hostile } });
  await window.call("complete_action", {
    evidence: { users: hostile, [hostile.slice(0, 200)]: { deep: [hostile.slice(0, 9000)] } },
    outputs: { [hostile.slice(0, 200)]: hostile },
    content: [{ path: "notes.md", text: hostile }],
  });
  const board = await startBoard(project.root);
  const { data } = await board.ask("/api/runs");
  expect(data.counts.waits).toBe(1);
  const lists = ["/api/runs", at, `${at}/records`, "/api/inbox", "/api/audit", "/api/process"];
  for (const path of lists) {
    const { status, text, headers } = await board.ask(path);
    expect([status, headers["content-type"], headers["x-content-type-options"]]).toEqual([
      200,
      "application/json; charset=utf-8",
      "nosniff",
    ]);
    expect(text.length, path).toBeLessThan(60_000);
    if (path !== at) expect(text, path).not.toMatch(/\\u001b|\u202e|\u2066/);
  }
  // Whole where a person judges it: what a yes covers is what is shown.
  const judging = await board.ask(`${at}/judging?workflow=shape&step=gather_context`);
  const users = judging.data.evidence.find(({ field }: { field: string }) => field === "users");
  expect(users.value === hostile).toBe(true);
  expect(judging.headers["content-security-policy"]).toContain("sandbox");
});

test("a hostile target and hostile comments stay lines of a list", async () => {
  const project = plantWorkflow({ phases: 2, approval: [1] });
  const window = await openWindow(project.root);
  const { session_id } = await callPhase(window, "start_workflow", {
    workflow_type: "survey",
    target_file: `src/${hostile.slice(0, 900)}`,
  });
  await callPhase(window, "complete_phase", {
    session_id,
    phase: 1,
    evidence: evidenceFor(1),
    confirmation: hostile.slice(0, 1400),
  });
  const board = await startBoard(project.root);
  const { data, text } = await board.ask("/api/runs");
  expect(data.runs[0].title.length).toBeLessThanOrEqual(160);
  expect(text).not.toMatch(/\\u001b|\u202e/);
  const { data: run } = await board.ask(`/api/runs/${encodeURIComponent(data.runs[0].key)}`);
  expect(JSON.stringify(run.attempts[0].word ?? {}).length).toBeLessThan(1000);
});

test("a second start finds the first; a start after it has ended takes its place, so that open tabs go on", async () => {
  const { root } = makeProject();
  const first = await startBoard(root);
  const second = await startDashboard({ root });
  expect([second.url, second.board]).toEqual([first.url, undefined]);
  await second.close();
  expect((await first.ask("/api/page")).status).toBe(200);
  await first.close();
  const again = await startDashboard({ root });
  expect([again.url, again.board?.port]).toEqual([first.url, first.port]);
  const other = await startBoard(makeProject().root);
  expect(other.token).not.toBe(first.token);
  expect((await askAt(first.port, "/api/page", { headers: { authorization: `Bearer ${other.token}` } })).status).toBe(
    401,
  );
  await again.close();
});
