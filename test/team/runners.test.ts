import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execPath } from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { runRunner } from "../../src/app/open-runner.ts";
import type { Role } from "../../src/engine/ports/team.ts";
import { makeToken as newToken } from "../../src/http/token-record.ts";
import { makeRunnerKey } from "../../src/people/runner-key.ts";
import { runCli, runProcess, waymark } from "../command-line.ts";
import { forge } from "../forge.ts";
import { freshProject, postgresUrl } from "../postgres.ts";
import type { Project } from "../project.ts";
import { provingGate } from "../proving.ts";
import { git } from "../repository.ts";
import { oneOf } from "../whole.ts";
import { type Answer, openWindow } from "../window.ts";
import { commit, completed, openBridged, serverProject, workTree } from "./bridging.ts";
import { byHand, enrolledRunner, type HandRunner } from "./enrolling.ts";
import { makeToken, openHttp, type Server, type StartOptions, startServer } from "./server.ts";
import { trustAs } from "./trusting.ts";

const honest = { evidence: { summary: "done" }, confirmation: "yes" };

type Waiting = {
  readonly project: Project;
  readonly server: Server;
  /** What comes of the completion in the end. */
  answer(): Promise<Answer>;
  readonly token: string;
};

/** A server on which an assistant's completion waits for a runner. */
async function waiting(
  how: { gate?: string; options?: StartOptions; role?: string; project?: Project } = {},
): Promise<Waiting & { runner: HandRunner }> {
  const project = how.project ?? serverProject(how.gate);
  project.write(".waymark/config.json", { checks: { wait: "4s" } });
  const own = await enrolledRunner(project.root, "ci", "local");
  const server = await startServer(project.root, how.options);
  const token = await tokenOf(server, "agent");
  const window = await server.open({ token });
  await window.call("shape_bot");
  const runner = byHand(server.url, own, await tokenOf(server, "runner"));
  const first = window.call("complete_action", honest);
  first.catch(() => undefined);
  const answer = async (): Promise<Answer> => {
    const { status, ...rest } = await first;
    return status === "checking" ? completed(window, honest) : { status, ...rest };
  };
  return { project, server, token, runner, answer };
}

/** A token of the server, in whichever store it has. */
async function tokenOf({ tokens }: Server, role: Role): Promise<string> {
  const { secret, token } = newToken({ name: `${role}-${randomUUID()}`, role, project: null }, new Date());
  expect(await tokens.add(token)).toBe(true);
  return secret;
}

/** Claims what the assistant waits for. */
async function claimed(runner: HandRunner) {
  const found = await runner.claim(5);
  if (found === null) throw new Error("There is nothing to claim.");
  return found;
}

it("a runner without a bridge proves what an assistant over HTTP submits", async () => {
  const { runner, answer, project } = await waiting();
  const found = await claimed(runner);
  expect(JSON.stringify(found)).not.toContain("run-tests"); // named by its hash, never sent
  expect(await runner.send(found)).toMatchObject({ status: 200 });
  expect(await answer()).toMatchObject({ status: "completed", checks: [{ name: "tests", status: "passed" }] });
  const { stdout, code } = await runCli(["verify", "--root", project.root]);
  expect(stdout).toContain("tests passed, local, run by runner ci");
  expect(code).toBe(0);
});

it("without a runner the reply says that it waits for one and how to start it, and asks for no fix", async () => {
  const project = serverProject();
  project.write(".waymark/config.json", { checks: { wait: "1s" } });
  const { open, url } = await startServer(project.root);
  const window = await open();
  await window.call("shape_bot");
  const reply = await window.call("complete_action", honest);
  expect(reply).toMatchObject({ status: "checking", waiting_for: "runner" });
  expect(reply.text).toContain(`waymark runner --url ${url} --project default`);
  expect(reply.text).not.toMatch(/fix/i);
  const { stdout } = await runCli(["log", "--root", project.root]);
  expect(stdout).toContain("tests");
});

const stores = {
  memory: async () => ({}),
  PostgreSQL: async () => ({ store: `${await postgresUrl()}?schema=runners_test`, project: freshProject() }),
};

describe.each(oneOf(2, Object.entries(stores)))("claims kept in %s", (_, place) => {
  it("of many runners one wins, and a claim whose answer was lost is won again by its own", async () => {
    const { runner, answer, server } = await waiting({ options: await place() });
    const token = await tokenOf(server, "runner");
    const racing = Array.from({ length: 12 }, (_, at) => byHand(server.url, runner.own, token, `${at}`));
    const won = (await Promise.all(racing.map((one) => one.claim(2)))).filter((one) => one !== null);
    expect(won).toHaveLength(1);
    const [found] = won;
    const again = await Promise.all(racing.map((one) => one.claim()));
    expect(again.filter((one) => one !== null)).toEqual([found]);
    if (found === undefined) return;
    const winner = byHand(server.url, runner.own, token);
    expect((await winner.send(found)).status).toBe(200);
    expect(await answer()).toMatchObject({ status: "completed" });
  });

  // Attack (network): Send a result after the claim has expired
  // -> Refused: another runner has taken over
  it("expire, and a result that comes later is refused; another runner takes over", async () => {
    const { runner, answer, server } = await waiting({ options: { ...(await place()), leaseSeconds: 3 } });
    const late = await claimed(runner);
    const second = byHand(server.url, runner.own, await tokenOf(server, "runner"), "other");
    expect(await second.claim()).toBeNull();
    expect((await runner.ask({ do: "renew", id: late.id, nonce: late.nonce })).status).toBe(200);
    await wait(3100);
    expect((await runner.ask({ do: "renew", id: late.id, nonce: late.nonce })).status).toBe(409);
    expect(await runner.send(late)).toMatchObject({ status: 409 });
    const found = await claimed(second);
    expect(found.nonce).not.toBe(late.nonce);
    expect((await second.send(found)).status).toBe(200);
    expect(await answer()).toMatchObject({ status: "completed" });
  });
});

// Attack (network): Send a forged or replayed result of a check, or one about another run, step, attempt, check or submission
// -> Refused, and nothing of it is recorded
it("a forged or replayed result, or one about something else, is refused, and nothing of it is recorded", async () => {
  const { runner, answer, project } = await waiting();
  const found = await claimed(runner);
  const stranger = makeRunnerKey().own;
  const attacks = {
    "another key": { by: stranger },
    "changed after signing": { after: { result: { facts: { tests: 1000, passed: 1000, failed: 0, skipped: 0 } } } },
    "a failure made a pass": {
      result: { status: "failed", exit: 1 },
      after: { result: { status: "passed", exit: 0 } },
    },
    "another output": { after: { result: { summary: "all is well" } } },
    "another statement": { after: { statement: { exit: 3 } } },
    "another nonce": { change: { nonce: "00".repeat(16) } },
    "another project": { change: { project: "f".repeat(32) } },
    "another run": { change: { run: "other_bot" } },
    "another step": { change: { step: "render_output" } },
    "another attempt": { change: { attempt: 2 } },
    "another check": { change: { check: "lint" } },
    "another definition": { change: { wanted: "0".repeat(32) } },
    "another submission": { change: { submission: "0".repeat(32) } },
  } as const;
  for (const [name, how] of Object.entries(attacks))
    expect([403, 409], name).toContain((await runner.send(found, how)).status);
  expect((await runCli(["log", "--root", project.root, "--json"])).stdout).not.toContain('"checked"');
  const [one, two] = await Promise.all([runner.send(found), runner.send(found)]);
  expect([one.status, two.status].sort()).toEqual([200, 409]);
  expect((await runner.send(found)).status).toBe(409);
  expect(await answer()).toMatchObject({ status: "completed" });
});

// Attack (shell): Have the runner beside it check another commit than it submitted
// -> Refused: `check_failed`, with both commits
it("a result for a commit other than the one that was submitted is refused, and the assistant is told", async () => {
  const project = serverProject();
  const { url } = await startServer(project.root);
  const tree = workTree({ passed: 1 });
  const window = await openBridged(url, tree);
  await window.call("shape_bot");
  await completed(window, honest);
  // The command itself moves on to another commit.
  tree.write(
    "run-tests.cjs",
    `${tree.read("run-tests.cjs").replace("process.exit", "require('node:child_process').execSync('git commit -q --allow-empty -m more', { env: { ...process.env, GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' } }); process.exit")}`,
  );
  commit(tree);
  await runCli(["trust", "--root", tree.root, "--yes"]);
  const refused = await completed(window, honest);
  expect(refused).toMatchObject({ status: "refused", error: "check_failed" });
  expect(refused.message).toMatch(/it ran on the commit [0-9a-f]{40}, and [0-9a-f]{40} was submitted/);
});

// Attack (network): Claim a check of another bridge, with another token, key or as a local runner
// -> Nothing is given out
it("what a bridge's caller submitted is no other bridge's to run, nor a local runner's", async () => {
  const project = serverProject();
  project.write(".waymark/config.json", { checks: { wait: "2s" } });
  const own = await enrolledRunner(project.root, "desk", "local");
  const { url } = await startServer(project.root);
  const [anna, ben, desk] = await Promise.all([
    makeToken(project.root, "anna", "agent"),
    makeToken(project.root, "ben", "agent"),
    makeToken(project.root, "desk", "runner"),
  ]);
  // Anna's bridge reports its work and never claims it.
  const key = makeRunnerKey().own;
  const window = await openHttp(url, { token: anna, era: "2026" });
  await window.call("shape_bot");
  const call = window.client.callTool({
    name: "complete_action",
    arguments: honest,
    _meta: { "waymark/tree": { key: key.key } },
  });
  await wait(500);
  const others = {
    "another person": byHand(url, makeRunnerKey().own, ben),
    "another person with her bridge's key": byHand(url, key, ben, "b"),
    "another bridge of hers": byHand(url, makeRunnerKey().own, anna, "c"),
    "a local runner": byHand(url, own, desk, "d"),
  };
  for (const [name, one] of Object.entries(others)) expect(await one.claim(), name).toBeNull();
  const hers = byHand(url, key, anna, "e");
  const found = await claimed(hers);
  for (const [name, one] of Object.entries(others))
    if (name !== "another bridge of hers") expect((await one.send(found)).status, name).toBe(409);
  expect((await hers.send(found)).status).toBe(200);
  expect((await call).structuredContent).toMatchObject({ status: "completed" });
});

// Attack (network): Ask, as a runner, for other parts of the definitions
// -> Refused as if they did not exist
it("a runner gets that one check while it holds the claim, and no other part of the definitions", async () => {
  const { runner, server, project, answer } = await waiting();
  const found = await claimed(runner);
  const { id, nonce, part } = found;
  const got = await runner.ask({ do: "check", id, nonce, definition: part.definition });
  expect(got.said.check).toMatchObject({ name: "tests", run: ["node", "run-tests.cjs"] });
  expect(Object.keys(got.said)).toEqual(["check"]);
  expect((await runner.ask({ do: "check", id, nonce, definition: "0".repeat(32) })).status).toBe(404);
  expect((await runner.ask({ do: "check", id, nonce: "0".repeat(32), definition: part.definition })).status).toBe(409);
  const other = byHand(server.url, runner.own, await makeToken(project.root, "other", "runner"));
  expect((await other.ask({ do: "check", id, nonce, definition: part.definition })).status).toBe(409);
  for (const role of ["viewer", "approver"])
    expect(
      (
        await byHand(server.url, runner.own, await makeToken(project.root, role, role)).ask({
          do: "check",
          id,
          nonce,
          definition: part.definition,
        })
      ).status,
    ).toBe(403);
  const elsewhere = await makeToken(project.root, "elsewhere", "runner", "another");
  expect(
    (await byHand(server.url, runner.own, elsewhere).ask({ do: "check", id, nonce, definition: part.definition }))
      .status,
  ).toBe(404);
  expect(
    (await byHand(server.url, runner.own).ask({ do: "check", id, nonce, definition: part.definition })).status,
  ).toBe(401);
  for (const body of [
    {},
    { do: "list" },
    { do: "claim" },
    { do: "check", id: "../x", nonce, definition: "x", more: 1 },
  ])
    expect([400, 409], JSON.stringify(body)).toContain((await runner.ask(body as never)).status);
  expect((await runner.send(found)).status).toBe(200);
  await answer();
  expect((await runner.ask({ do: "check", id, nonce, definition: part.definition })).status).toBe(409);
});

// Attack (network): Run checks with a key that no approver trusted, or whose trust was forged
// -> Refused
it("a key that no approver trusted runs nothing, and neither does one whose trust was forged", async () => {
  const { server, project } = await waiting();
  const token = await makeToken(project.root, "stranger", "runner");
  await expect(byHand(server.url, makeRunnerKey().own, token).claim()).rejects.toThrow(/403.*waymark runner --enroll/);
  const file = JSON.parse(project.read(".waymark/runners.json"));
  const [ci] = file.runners;
  const forged = makeRunnerKey().own;
  const statement = { ...ci.trust.statement, runner: "evil", key: forged.key, level: "independent" };
  const evil = { ...ci, name: "evil", key: forged.key, public: forged.public, trust: { ...ci.trust, statement } };
  project.write(".waymark/runners.json", { runners: [ci, evil] });
  await expect(byHand(server.url, forged, token).claim()).rejects.toThrow(/403/);
});

// Attack (tools): Satisfy a gate with `runner: independent` by another runner, an unknown commit or uncommitted changes
// -> Refused
it("a gate that asks for an independent runner takes no other result", async () => {
  const gate = provingGate.replace("checks:", "runner: independent\nchecks:");
  const { runner, project, server, token } = await waiting({ gate });
  expect(await runner.claim(1)).toBeNull();
  const own = await enrolledRunner(project.root, "apart", "independent");
  const apart = byHand(server.url, own, await makeToken(project.root, "apart", "runner"));
  const found = await claimed(apart);
  expect(found.level).toBe("independent");
  expect(await apart.send(found)).toMatchObject({
    status: 409,
    said: { message: expect.stringContaining("works on a commit") },
  });
  expect((await apart.send(found, { change: { commit: "a".repeat(40), changes: "b" } })).status).toBe(409);
  expect((await apart.send(found, { change: { commit: "a".repeat(40) } })).status).toBe(200);
  const window = await server.open({ token });
  expect(await completed(window, { ...honest, action: "gather_context" })).toMatchObject({
    status: "completed",
  });
});

// Attack (tools): Have an independent runner check a commit that it cannot get, or one without what was submitted
// -> Refused: `check_failed`, with the reason
it("an independent runner works on the wanted commit: one it does not have, and content that is not in it, are refused", async () => {
  const project = serverProject(provingGate.replace("checks:", "runner: independent\nchecks:"));
  const { url } = await startServer(project.root);
  const tree = workTree({ passed: 3 });
  const clone = mkdtempSync(join(tmpdir(), "waymark-clone-"));
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }));
  git(clone, "clone", "-q", tree.root, ".");
  await runCli(["trust", "--root", clone, "--yes"]);
  const key = await enrolledRunner(project.root, "apart", "independent");
  const token = await makeToken(project.root, "apart", "runner");
  const stop = new AbortController();
  const running = runRunner(
    { url: new URL(url), area: clone, key, token: async () => token, say: () => undefined },
    stop.signal,
  );
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  const window = await openBridged(url, tree, { token: await makeToken(project.root, "anna", "agent") });
  await window.call("shape_bot");
  expect(await completed(window, honest)).toMatchObject({ error: "check_untrusted" });
  await runCli(["trust", "--root", clone, "--yes"]);
  const lost = workTree({ passed: 9 });
  const elsewhere = await openBridged(url, lost, { token: await makeToken(project.root, "ben", "agent") });
  await elsewhere.call("shape_bot", { run: "b" });
  expect((await completed(elsewhere, { ...honest, run: "b" })).message).toContain("is not in the runner's repository");
  const content = [{ path: "docs/new.md", text: "New.\n" }];
  expect(await completed(window, { ...honest, content })).toMatchObject({
    error: "check_failed",
    message: expect.stringContaining("docs/new.md"),
  });
  tree.write("docs/new.md", "New.\n");
  commit(tree);
  expect(await completed(window, { ...honest, content })).toMatchObject({ status: "completed" });
});

it("without a team server such a gate stays closed, and says what it needs", async () => {
  const project = serverProject(provingGate.replace("checks:", "runner: independent\nchecks:"));
  project.write("plan.json", { passed: 3 });
  await runCli(["trust", "--root", project.root, "--yes"]);
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  const refused = await completed(window, honest);
  expect(refused).toMatchObject({ status: "refused", error: "check_failed" });
  expect(refused.message).toContain("independent runner");
});

it("a runner that is killed in the middle leaves its check to another", async () => {
  const project = serverProject();
  project.write(".waymark/config.json", { checks: { wait: "15s" } });
  await enrolledRunner(project.root, "unused", "local");
  const { url, open } = await startServer(project.root, { leaseSeconds: 2 });
  const tree = workTree({ passed: 2 });
  tree.write(
    "run-tests.cjs",
    `{ const fs = require("node:fs"); fs.appendFileSync("started.txt", "x"); const end = Date.now() + (fs.readFileSync("started.txt", "utf8").length === 1 ? 60000 : 0); while (Date.now() < end); }\n${tree.read("run-tests.cjs")}`,
  );
  tree.write(".gitignore", "reports/\nruns.txt\nstarted.txt\n");
  commit(tree);
  const home = mkdtempSync(join(tmpdir(), "waymark-runner-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env = { HOME: home, XDG_STATE_HOME: join(home, "state"), XDG_CONFIG_HOME: join(home, "config") };
  const made = JSON.parse(
    (await runProcess(["runner", "--enroll", "desk", "--root", tree.root, "--json"], tree.root, env)).stdout,
  );
  await runCli(["runner", "--enroll", "desk", "--public", made.public, "--root", project.root]);
  const token = await makeToken(project.root, "desk", "runner");
  const agent = await makeToken(project.root, "anna", "agent");
  // Trusted as an approver would, at a terminal; the key is its own.
  await trustAs(project.root, "desk", "local");
  const start = () => {
    const child = spawn(execPath, [waymark, "runner", "--url", url, "--root", tree.root], {
      env: { PATH: process.env.PATH, ...env, WAYMARK_TOKEN: token },
      stdio: "ignore",
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  };
  const first = start();
  const window = await open({ token: agent });
  await window.call("shape_bot");
  expect(await completed(window, honest)).toMatchObject({ error: "check_untrusted" });
  await runProcess(["trust", "--root", tree.root, "--yes"], tree.root, env);
  const answer = completed(window, honest);
  const begun = async (): Promise<number> => {
    try {
      return tree.read("started.txt").length;
    } catch {
      return 0;
    }
  };
  await expect.poll(begun).toBe(1);
  first.kill("SIGKILL");
  start();
  expect(await answer).toMatchObject({ status: "completed" });
  expect(await begun()).toBe(2);
});

// Attack (file tools): Raise the level of a signed result in the record, take its runner's name or the request for it away
// -> Exposed by `verify`
it.each([
  ["raised to independent", { level: "independent" }, "its key is trusted as local, not as independent"],
  ["raised, without its runner", { level: "independent", runner: undefined }, "its key belongs to no runner"],
  ["without the request for it", undefined, "no runner was asked for it"],
])("verify names a result %s, with every hash right", async (_, change, problem) => {
  const { runner, answer, project } = await waiting();
  expect((await runner.send(await claimed(runner))).status).toBe(200);
  await answer();
  forge(project, ".waymark/journal/story_bot.jsonl", (event) => {
    if (change === undefined) return event.type === "check_wanted" ? [] : event;
    if (event.type !== "checked" || event.result.signed === undefined) return event;
    return { ...event, result: { ...event.result, signed: { ...event.result.signed, ...(change as object) } } };
  });
  const { code, stdout } = await runCli(["verify", "--root", project.root]);
  expect([code, stdout]).toEqual([1, expect.stringContaining(problem)]);
});

// Attack (file tools): Take the signature of an independent runner off the record of its gate
// -> Exposed by `verify --require`
it("verify --require takes no other result where the gate asks for an independent runner", async () => {
  const gate = provingGate.replace("checks:", "runner: independent\nchecks:");
  const { project, server, token } = await waiting({ gate });
  const own = await enrolledRunner(project.root, "apart", "independent");
  const apart = byHand(server.url, own, await makeToken(project.root, "apart", "runner"));
  await apart.send(await claimed(apart), { change: { commit: "a".repeat(40) } });
  const window = await server.open({ token });
  const done = await completed(window, { ...honest, action: "gather_context" });
  expect(done).toMatchObject({ status: "completed" });
  const required = async () => (await runCli(["verify", "--require", "shape", "--root", project.root])).stdout;
  expect(await required()).not.toContain("independent runner");
  forge(project, ".waymark/journal/story_bot.jsonl", (event) => {
    if (event.type !== "checked") return event;
    const { signed: _, ...result } = event.result;
    return { ...event, result };
  });
  expect(await required()).toContain("its check tests was not run by an independent runner");
});

// Attack (file tools): Take a runner out of `runners.json`, raise its level or drop its trust
// -> Exposed by `verify`: its results no longer count
it("verify names a result that was changed, moved or bound to a key that no longer counts", async () => {
  const { runner, answer, project } = await waiting();
  expect((await runner.send(await claimed(runner))).status).toBe(200);
  await answer();
  const verified = async (): Promise<string> => (await runCli(["verify", "--root", project.root])).stdout;
  expect(await verified()).toContain("local, run by runner ci");
  const runners = project.read(".waymark/runners.json");
  project.write(".waymark/runners.json", { runners: [] });
  expect(await verified()).toContain("its key belongs to no runner");
  const [ci] = JSON.parse(runners).runners;
  const raised = { ...ci, trust: { ...ci.trust, statement: { ...ci.trust.statement, level: "independent" } } };
  project.write(".waymark/runners.json", { runners: [raised] });
  expect(await verified()).toContain("the signature of its trust is not valid");
  const { trust: _, ...bare } = ci;
  project.write(".waymark/runners.json", { runners: [bare] });
  expect(await verified()).toContain("no approver has trusted it");
});
