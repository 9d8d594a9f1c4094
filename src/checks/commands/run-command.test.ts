import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findContainer } from "./contain.ts";
import { commandRunner } from "./run-command.ts";
import { sweepLeftOvers } from "./sweep.ts";

const supervisor = fileURLToPath(new URL("../../../dist/supervise.js", import.meta.url));
const best = findContainer();
const plain = { kind: "marker", before: [] } as const;

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "waymark-command-"));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const env = { PATH: process.env.PATH ?? "" };
const job = (...argv: [string, ...string[]]) => ({ argv, cwd, env, timeoutMs: 60_000 });
const node = (script: string) => job(process.execPath, "-e", script);

/** Whether the process still writes its heartbeat. */
async function beats(file: string): Promise<boolean> {
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  await pause(400);
  return existsSync(file) && readFileSync(file, "utf8") !== before;
}

const heartbeat = `const fs = require("fs"); setInterval(() => fs.appendFileSync("beat", "x"), 20);`;

describe.each([
  ["contained as well as this machine can", best],
  ["with a marker only", plain],
])("%s", (_how, container) => {
  const run = commandRunner(supervisor, container);

  test("a command that ends tells its exit code, its time and its last words in plain text", async () => {
    const done = await run(
      node('console.log("\\u001b[31mred\\u001b[0m"); console.error("\\u202ebad"); process.exitCode = 3'),
    );
    expect(done).toMatchObject({ ending: "exited", exit: 3, signal: null, contained: container.kind });
    expect(done.output.split("\n").sort()).toEqual(["bad", "red"]);
  });

  test("one that does not exist is said, and so is a folder that is none", async () => {
    expect(await run(job("no-such-program"))).toMatchObject({ ending: "not started", exit: null });
    const lost = await run({ ...node("1"), cwd: join(cwd, "gone") });
    expect(lost).toMatchObject({ ending: "not started" });
    expect(lost.fault).toBeTruthy();
  });

  test("it sees the variables it was given, and nothing else of ours", async () => {
    const script = "console.log(Object.keys(process.env).sort().join())";
    const { output } = await run({ ...node(script), env: { ...env, CI: "1" } });
    expect(output).toBe("CI,PATH,WAYMARK_CHECK");
  });

  test("one that hangs and ignores every polite signal is ended at its limit", async () => {
    const script = `process.on("SIGTERM", () => {}); process.on("SIGINT", () => {}); ${heartbeat}`;
    const done = await run({ ...node(script), timeoutMs: 700 });
    expect(done).toMatchObject({ ending: "timed out", exit: null, signal: "SIGKILL" });
    expect(await beats(join(cwd, "beat"))).toBe(false);
  });

  test("what it forked, and what detached itself from it, ends with it", async () => {
    const script = `const { spawn } = require("child_process");
      spawn(process.execPath, ["-e", ${JSON.stringify(heartbeat)}], { detached: true, stdio: "ignore" }).unref();
      setTimeout(() => process.exit(0), 500);`;
    expect(await run(node(script))).toMatchObject({ ending: "exited", exit: 0 });
    expect(existsSync(join(cwd, "beat"))).toBe(true);
    expect(await beats(join(cwd, "beat"))).toBe(false);
  });

  test("one that floods is ended, and its last words are kept short", async () => {
    const done = await run(job("sh", "-c", "yes 'a line that says nothing'"));
    expect(done.ending).toBe("flooded");
    expect(done.output.length).toBeLessThanOrEqual(1500);
  });

  test("when nobody wants it any more it is ended", async () => {
    const stop = new AbortController();
    const running = run(node(heartbeat), stop.signal);
    while (!existsSync(join(cwd, "beat"))) await pause(20);
    stop.abort();
    expect(await running).toMatchObject({ ending: "abandoned" });
    expect(await beats(join(cwd, "beat"))).toBe(false);
  });

  test("a server that is killed takes it along", async () => {
    const owner = await startOwner(container.before, heartbeat);
    while (!existsSync(join(cwd, "beat"))) await pause(20);
    owner.kill("SIGKILL");
    await pause(2500);
    expect(await beats(join(cwd, "beat"))).toBe(false);
  });
});

test.runIf(best.kind === "namespace")("in a namespace even one that hides from the marker ends with it", async () => {
  const hidden = `setsid env -i ${process.execPath} -e '${heartbeat.replaceAll('"', "`")}' & sleep 0.7`;
  const done = await commandRunner(supervisor, best)(job("sh", "-c", hidden));
  expect(done).toMatchObject({ ending: "exited", exit: 0 });
  expect(existsSync(join(cwd, "beat"))).toBe(true);
  expect(await beats(join(cwd, "beat"))).toBe(false);
});

test("what outlived a server and its supervisor is swept at the next start; what belongs to a living server is not", async () => {
  const orphan = spawn(process.execPath, ["-e", heartbeat], {
    cwd,
    stdio: "ignore",
    detached: true,
    env: { ...env, WAYMARK_CHECK: "999999999-1.x" },
  });
  while (!existsSync(join(cwd, "beat"))) await pause(20);
  const living = commandRunner(supervisor, plain)(node("setTimeout(() => console.log('whole'), 1200)"));
  await pause(300);
  expect(await sweepLeftOvers()).toBeGreaterThanOrEqual(1);
  expect(await beats(join(cwd, "beat"))).toBe(false);
  expect(await living).toMatchObject({ ending: "exited", exit: 0, output: "whole" });
  orphan.unref();
});

/** A process that runs a command as a server would, to be killed. */
async function startOwner(before: readonly string[], script: string) {
  const file = join(cwd, "owner.mjs");
  const told = JSON.stringify({ ...node(script), env: { ...env, WAYMARK_CHECK: "owner" }, isInit: before.length > 0 });
  writeFileSync(
    file,
    `import { spawn } from "node:child_process";
     const child = spawn(${JSON.stringify(before[0] ?? process.execPath)}, ${JSON.stringify(before.length > 0 ? [...before.slice(1), process.execPath, supervisor] : [supervisor])}, { stdio: ["pipe", "pipe", "ignore"] });
     child.stdin.write(${JSON.stringify(`${told}\n`)});`,
  );
  return spawn(process.execPath, [file], { stdio: "ignore" });
}
