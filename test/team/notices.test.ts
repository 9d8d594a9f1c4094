import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { identifiedLog } from "../../src/engine/identified-log.ts";
import { systemClock as clock } from "../../src/kit/system-clock.ts";
import { noticingLog } from "../../src/notify/noticing-log.ts";
import { startNotifier } from "../../src/notify/notifier.ts";
import { fileStore } from "../../src/stores/file/file-store.ts";
import type { Event } from "../../src/workflow/events.ts";
import { runCli } from "../command-line.ts";
import { reply, sitDown } from "../people.ts";
import { freshProject, postgresUrl } from "../postgres.ts";
import { makeProject, type Project } from "../project.ts";
import { openProcess } from "../window.ts";
import { isSigned, type Receiver, startReceiver } from "./receiver.ts";
import { startServer } from "./server.ts";

const secret = "a secret of the receiver";
const gateFile = ".waymark/base_actions/gather_context/gate-definition.yaml";
const gate = "evidence_schema:\n  summary: {type: string, required: true, description: what was done}\n";

/** A project whose first action needs evidence, and a file of projects that notifies receivers of it. */
function notifying(targets: readonly object[]): { readonly project: Project; readonly projects: string } {
  const project = makeProject();
  project.write(gateFile, gate);
  project.write("projects.json", { shop: { definitions: ".waymark", area: "area", notify: targets } });
  return { project, projects: project.path("projects.json") };
}

function setEnv(name: string, value: string): void {
  process.env[name] = value;
  onTestFinished(() => {
    delete process.env[name];
  });
}

const ofType =
  (type: string) =>
  ({ body }: Receiver["received"][number]): boolean =>
    body.type === `waymark.${type}`;

it("each event of a run is sent, signed, and nothing that was written about it", async () => {
  setEnv("WAYMARK_TEST_SECRET", secret);
  setEnv("WAYMARK_TEST_SLACK", "");
  const [events, slack] = [await startReceiver(), await startReceiver()];
  process.env.WAYMARK_TEST_SLACK = slack.url;
  const { project, projects } = notifying([
    { url: events.url, secret_env: "WAYMARK_TEST_SECRET" },
    { url_env: "WAYMARK_TEST_SLACK", format: "slack", events: ["waiting"] },
  ]);
  const server = await startServer(project.root, { projects, publicUrl: "http://127.0.0.1:4319" });
  const window = await server.open({ project: "shop" });
  await window.call("shape_bot");
  await window.call("complete_action", { evidence: {}, confirmation: "private words" });
  await window.call("complete_action", { evidence: {}, confirmation: "private words" });
  await window.call("complete_action", { blocked: "private reason" });
  const evidence = { summary: "private summary" };
  await window.call("complete_action", { evidence, outputs: { note: "private output" } });
  const got = await events.came(3);
  expect(got.map(({ body }) => body.type).sort()).toEqual(["waymark.blocked", "waymark.stuck", "waymark.waiting"]);
  const [waiting] = got.filter(ofType("waiting"));
  expect(waiting?.body).toMatchObject({
    specversion: "1.0",
    source: "/projects/shop",
    subject: "story_bot.shape",
    data: { event: "waiting", project: "shop", run: "story_bot.shape", workflow: "shape", step: "gather_context" },
  });
  expect(waiting?.body.data?.link).toBe("http://127.0.0.1:4319/#/runs/bot%3Astory_bot");
  const [text] = await slack.came(1);
  expect(text?.body).toEqual({
    text: "shop: story_bot · shape · gather_context is waiting for approval <http://127.0.0.1:4319/#/runs/bot%3Astory_bot|Open the dashboard>",
  });
  for (const one of got) {
    expect(one.headers["content-type"]).toContain("application/cloudevents+json");
    expect(isSigned(one, secret)).toBe(true);
    expect(isSigned(one, "another secret")).toBe(false);
  }
  expect([...events.received, ...slack.received].map((one) => one.text).join()).not.toContain("private");
  expect(server.log()).not.toContain(secret);
  const ids = new Set(got.map(({ body }) => body.id));
  expect(ids.size).toBe(3);
  const { stdout } = await runCli(["verify", "--json", "--root", project.root, "--project-area", project.path("area")]);
  expect(JSON.parse(stdout).ok ?? true).toBe(true);
});

it("of two replicas one sends, and a receiver that was away hears of it once it is back", async () => {
  const away = await startReceiver();
  await away.close();
  const { project, projects } = notifying([{ url: away.url }]);
  const store = await postgresUrl();
  // The projects of a file are named in the store by that name.
  const name = freshProject();
  const file = JSON.parse(readFileSync(projects, "utf8"));
  writeFileSync(projects, JSON.stringify({ [name]: file.shop }));
  const noticePace = { everyMs: 50, firstRetry: 0.2 };
  const replicas = [
    await startServer(project.root, { projects, store, noticePace }),
    await startServer(project.root, { projects, store, noticePace }),
  ];
  const [one, other] = await Promise.all(replicas.map((server) => server.open({ project: name })));
  await one?.call("shape_bot");
  await other?.call("complete_action", { evidence: { summary: "done" } });
  const reported = (): boolean =>
    replicas.some((server) => server.log().includes("could not be sent and will be tried"));
  while (!reported()) await new Promise((resolve) => setTimeout(resolve, 20));
  const back = await startReceiver({ port: away.port });
  const [first] = await back.came(1);
  expect(first?.body.type).toBe("waymark.waiting");
  await Promise.all(replicas.map((server) => server.close()));
  expect(back.received).toHaveLength(1);
});

const at = "2026-01-01T10:00:00.000Z";
const step = { workflow: "shape", pass: 1, step: "gather_context", attempt: 1 };
const started = { type: "started", at, by: "a", successor: null, ...step } as Event;
const blocked = { type: "blocked", at, by: "a", reason: "private", ...step } as Event;
const id = { kind: "bot", name: "story_bot" } as const;
const hold = { onFault: "refuse" } as const;

/** A store in files with what a process does to its log, and one that sends in a process of its own. */
function ownStore() {
  const area = mkdtempSync(join(tmpdir(), "waymark-notices-"));
  onTestFinished(() => rmSync(area, { recursive: true, force: true, maxRetries: 5 }));
  const open = () => {
    const store = fileStore(area, { clock });
    onTestFinished(() => store.close());
    const queue = store.notices;
    if (queue === undefined) throw new Error("A store in files keeps notices.");
    const needs = { hasTargets: async () => true, wake: () => undefined };
    const { watch, audited } = noticingLog(store.log, queue, needs);
    return { store, queue, log: identifiedLog(audited, async () => undefined, watch) };
  };
  const send = (url: string, more: { readonly firstRetry?: number } = {}) => {
    const { store, queue } = open();
    const reports: string[] = [];
    const notifier = startNotifier({
      areas: async () => [{ log: store.log, queue }],
      targets: async () => [{ url, format: "cloudevents" }],
      project: "shop",
      link: () => undefined,
      report: (said) => void reports.push(said),
      everyMs: 10,
      ...more,
    });
    onTestFinished(notifier.stop);
    return { notifier, reports };
  };
  return { area, open, send };
}

it("what a dead process recorded is sent by the next one, and nothing that it did not record", async () => {
  const { open, send } = ownStore();
  const { log, queue, store } = open();
  await queue.put("looked at before it is recorded", { stream: id, seq: 3, tries: 0, sent: [] });
  await log.append(id, 0, [started], hold);
  await log.append(id, 1, [blocked], hold); // dies before it sends
  await queue.put("never recorded", { stream: id, seq: 9, tries: 0, sent: [] });
  const receiver = await startReceiver();
  const { notifier } = send(receiver.url, { firstRetry: 0.01 });
  const [got] = await receiver.came(1);
  for await (const record of log.records(id, 1)) expect(got?.body.id).toBe(`${record.hash}.blocked`);
  await store.log.append(id, 2, [{ ...blocked, at: "2026-01-01T11:00:00.000Z" } as Event], hold);
  await receiver.came(2);
  await notifier.stop();
  expect(receiver.received.map(({ body }) => body.type)).toEqual(["waymark.blocked", "waymark.blocked"]);
});

it("a receiver that fails gets it again until it takes it, and a redirect is not followed", async () => {
  const { open, send } = ownStore();
  const { log } = open();
  await log.append(id, 0, [started, blocked], hold);
  const other = await startReceiver();
  const answers = [{ status: 500 }, { status: 307, location: other.url }, { status: 200 }];
  const receiver = await startReceiver({ answer: (number) => answers[number] ?? { status: 200 } });
  const { notifier, reports } = send(receiver.url, { firstRetry: 0.01 });
  await receiver.came(3);
  await notifier.stop();
  expect(new Set(receiver.received.map(({ body }) => body.id)).size).toBe(1);
  expect(other.received).toEqual([]);
  expect(reports).toEqual([
    `A notice could not be sent and will be tried again: blocked to ${new URL(receiver.url).origin}: it answered 500.`,
  ]);
});

it("each event is sent once the receiver is back after ten minutes, and nothing of what was written", async () => {
  const { area, open, send } = ownStore();
  const { log, queue } = open();
  const other = { kind: "bot", name: "other_bot" } as const;
  await log.append(other, 0, [started], hold);
  await log.append(other, 1, [{ ...started, type: "continued" } as Event], hold);
  const gap = { field: "summary", text: "private gap" };
  const refused = { ...started, type: "refused", code: "incomplete_checkpoint", missing: [gap] };
  const later = [
    { ...started, type: "handed_in", digest: "d".repeat(64), evidence: { summary: "private" } },
    { ...started, type: "declined", digest: "d".repeat(64), reason: "private reason" },
    refused,
    refused,
    { ...blocked, reason: "private" },
    { ...started, type: "finished", outcome: "done", reason: "private" },
  ];
  await log.append(id, 0, [started], hold);
  for (const [at, event] of later.entries()) await log.append(id, at + 1, [event as Event], hold);
  const file = join(area, (await log.audit(other)).place);
  writeFileSync(file, readFileSync(file, "utf8").replace("gather_context", "gather_nothing"));
  await open().log.audit(other);
  await queue.put("never recorded", { stream: id, seq: 99, tries: 0, sent: [] });
  const away = await startReceiver();
  await away.close();
  const { notifier, reports } = send(away.url, { firstRetry: 600 });
  const types = ["blocked", "finished", "record_broken", "rejected", "stuck", "waiting"];
  while (reports.length < types.length) await new Promise((resolve) => setTimeout(resolve, 10));
  await notifier.stop();

  // ten minutes pass: what is due then is due now
  const folder = join(area, ".waymark/notices");
  for (const name of readdirSync(folder)) {
    const entry = JSON.parse(readFileSync(join(folder, name), "utf8"));
    writeFileSync(join(folder, name), JSON.stringify({ ...entry, made: entry.made - 600_000 }));
    renameSync(join(folder, name), join(folder, `${name.split(".")[0]}.${Date.now()}`));
  }
  const back = await startReceiver({ port: away.port });
  const again = send(away.url);
  const got = await back.came(types.length);
  await again.notifier.stop();
  expect(got.map(({ body }) => body.type).sort()).toEqual(types.map((type) => `waymark.${type}`));
  expect(new Set(got.map(({ body }) => body.id)).size).toBe(types.length);
  expect(back.received.map(({ text }) => text).join()).not.toContain("private");
  expect(again.reports).toEqual([]);
});

it("a receiver that is away for more than an hour is given up, and the log says so", async () => {
  const { open, send } = ownStore();
  const { log, queue } = open();
  await log.append(id, 0, [started, blocked], hold);
  const [claimed] = await queue.claim(1, 60);
  if (claimed === undefined) throw new Error("nothing was claimed");
  await queue.postpone({ ...claimed, age: 3700 }, claimed.pending, 0);
  const receiver = await startReceiver();
  await receiver.close();
  const { notifier, reports } = send(receiver.url);
  while (reports.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  await notifier.stop();
  expect(reports).toEqual([expect.stringMatching(/^A notice was given up after an hour: blocked to .*: it cannot be/)]);
  expect(await queue.claim(1, 60)).toEqual([]);
});

it("a history that was changed is reported once, by its head", async () => {
  const { area, open, send } = ownStore();
  const { log } = open();
  await log.append(id, 0, [started], hold);
  await log.append(id, 1, [{ ...started, type: "continued" } as Event], hold);
  const { place } = await log.audit(id);
  const file = join(area, place);
  writeFileSync(file, readFileSync(file, "utf8").replace("gather_context", "gather_nothing"));
  const receiver = await startReceiver();
  const { notifier } = send(receiver.url);
  const again = open();
  await again.log.audit(id);
  await again.log.audit(id);
  const [got] = await receiver.came(1);
  await notifier.stop();
  expect(got?.body).toMatchObject({ type: "waymark.record_broken", data: { event: "record_broken", project: "shop" } });
  expect(receiver.received).toHaveLength(1);
});

// Attack (pull request): Name a webhook of yours in `config.json`, to be sent what its users work on
// -> nothing is sent until a person at a terminal trusts the address, and `waymark trust --yes` trusts none
it("on a person's own machine nothing is sent before the webhook is trusted at a terminal", async () => {
  const receiver = await startReceiver();
  const project = makeProject();
  project.write(".waymark/config.json", { notify: [{ url: receiver.url }] });
  const listed = async () => JSON.parse((await runCli(["notify", "--json", "--root", project.root])).stdout);
  await runCli(["trust", "--yes", "--root", project.root]);
  expect(await listed()).toMatchObject([{ to: new URL(receiver.url).origin, trusted: false }]);
  expect((await runCli(["notify", "--test", "--root", project.root])).code).toBe(1);
  const before = await openProcess(project.root);
  await before.call("shape_bot");
  await before.call("complete_action", { blocked: "it needs a device" });
  await before.close();
  expect(receiver.received).toEqual([]);

  const terminal = sitDown().runs(project, ["trust"]);
  await reply(terminal, "Trust it on this machine?", "y");
  await terminal.ends();
  const tested = await runCli(["notify", "--test", "--root", project.root]);
  expect(tested).toMatchObject({ code: 0, stdout: expect.stringContaining("sent") });
  const window = await openProcess(project.root);
  await window.call("shape_bot");
  await window.call("complete_action", { blocked: "it needs another device" });
  await receiver.came(2);
  expect(receiver.received.map(({ body }) => body.type)).toEqual(["waymark.test", "waymark.blocked"]);
});

it("settings that name no valid webhook are a finding, and every bot is told so", async () => {
  const project = makeProject();
  project.write(".waymark/config.json", { notify: [{ url: "file:///etc/passwd" }] });
  const { code, stdout } = await runCli(["check", "--root", project.root]);
  expect(code).toBe(1);
  expect(stdout).toContain("notify");
});
