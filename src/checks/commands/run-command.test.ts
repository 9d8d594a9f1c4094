import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { wholeOr } from "../../../test/whole.ts";
import { findContainer } from "./container.ts";
import { ownSleep, processesWith, until } from "./processes.testing.ts";
import { commandRunner } from "./run-command.ts";

const supervisor = fileURLToPath(new URL("../../../dist/supervise.js", import.meta.url));
const best = await findContainer();
const marked = { kind: "marker", before: [] } as const;

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "waymark-command-"));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const env = { PATH: process.env.PATH ?? "" };
const job = (...argv: [string, ...string[]]) => ({ argv, cwd, env, timeoutMs: 600_000 });
const node = (script: string) => job(process.execPath, "-e", script);
const shell = (script: string, ...words: string[]) => job("sh", "-c", script, "sh", ...words);

describe.each([
  ["contained as well as this machine can", best],
  ["with a marker only", marked],
])("%s", (_how, container) => {
  const run = commandRunner(supervisor, container);

  test("a command that ends tells its exit code and its last words in plain text", async () => {
    const done = await run(
      node('console.log("\\u001b[31mred\\u001b[0m"); console.error("\\u202ebad"); process.exitCode = 3'),
    );
    expect(done).toMatchObject({ ending: "exited", exit: 3, signal: null, contained: container.kind });
    expect(done.output.split("\n").sort()).toEqual(["bad", "red"]);
  });

  test("what it wrote just before it ended is not lost", async () => {
    const script = "head -c 200000 /dev/zero | tr '\\0' '\\n'; printf 'the last line'";
    for (let round = 0; round < wholeOr(20, 2); round++) {
      const { output } = await run(shell(script));
      expect(output.trim()).toBe("the last line");
    }
  });

  test("one that does not exist is said, and so is a folder that is none", async () => {
    expect(await run(job("no-such-program"))).toMatchObject({ ending: "not started", exit: null });
    const lost = await run({ ...node("1"), cwd: join(cwd, "gone") });
    expect(lost).toMatchObject({ ending: "not started" });
    expect(lost.fault).toBeTruthy();
  });

  test("it sees the variables it was given and nothing else of ours, and has nothing to read", async () => {
    const script = `console.log(Object.keys(process.env).sort().join(), JSON.stringify(require("fs").readFileSync(0, "utf8")))`;
    const { output } = await run({ ...node(script), env: { ...env, CI: "1" } });
    expect(output).toBe('CI,PATH,WAYMARK_CHECK ""');
  });

  // Attack (shell): Have a check's command hang, stop itself or ignore every signal
  // -> Refused: ended at its time limit, with two seconds to end politely
  test("one that ignores every polite signal and stops is ended at its limit", async () => {
    const sleep = ownSleep();
    const done = await run({ ...shell(`trap '' TERM INT HUP; sleep ${sleep} & kill -STOP $! $$`), timeoutMs: 500 });
    expect(done).toMatchObject({ ending: "timed out", exit: null, signal: "SIGKILL" });
    await until(() => processesWith(sleep).length === 0);
  });

  test("one that closes what it writes to is waited for", async () => {
    expect(await run(shell("exec >&- 2>&-; sleep 0.3; exit 4"))).toMatchObject({
      ending: "exited",
      exit: 4,
      output: "",
    });
  });

  // Attack (shell): Have it write 1 GB, or without an end
  // -> Of 1 GB the last 1,500 characters are kept; at 4 GB it is ended and refused. It is never held in memory
  test("of 1 GB of output the last lines are kept, and little memory is needed for it", async () => {
    const bytes = wholeOr(1024 ** 3, 64 * 1024 ** 2);
    const done = run(shell(`yes 'a line that says nothing' | head -c ${bytes}; echo; echo "$0"`, "the end"));
    let peak = 0;
    const watch = setInterval(() => {
      for (const pid of processesWith(supervisor)) {
        const [, kb = "0"] = /VmHWM:\s*(\d+)/.exec(statusOf(pid)) ?? [];
        peak = Math.max(peak, Number(kb));
      }
    }, 20);
    const { ending, exit, output } = await done;
    clearInterval(watch);
    expect({ ending, exit }).toEqual({ ending: "exited", exit: 0 });
    expect(output.length).toBeLessThanOrEqual(1500);
    expect(output).toMatch(/\nsh$/);
    expect(peak).toBeLessThan(200_000);
  });

  test("one that floods without an end is ended", async () => {
    const done = await run({ ...job("yes", "a line that says nothing"), mostOutput: 10_000_000 });
    expect(done.ending).toBe("flooded");
    expect(done.output.length).toBeLessThanOrEqual(1500);
  });

  // Attack (shell): Have it fork, detach (`setsid`), fork twice, close everything
  // -> All of it ends with the check
  test("what it forked, what detached itself or forked twice, what closed everything and what ignores signals ends with it", async () => {
    const sleep = ownSleep();
    const there = (name: string): string => `sh -c ': > there-${name}; exec sleep ${sleep}'`;
    const script = `${there("forked")} &
      setsid ${there("detached")} &
      (setsid sh -c '(: > there-twice; exec sleep ${sleep}) &' &)
      setsid ${there("closed")} <&- >&- 2>&- &
      trap '' TERM INT HUP QUIT; setsid ${there("deaf")} &
      until [ "$(ls there-* | wc -l)" = 5 ]; do sleep 0.02; done`;
    expect(await run(shell(script))).toMatchObject({ ending: "exited", exit: 0 });
    await until(() => processesWith(sleep).length === 0);
  });

  test("when nobody wants it any more it is ended, whatever it ignores", async () => {
    const [stop, sleep] = [new AbortController(), ownSleep()];
    const running = run(shell(`trap '' TERM; setsid sleep ${sleep} & sleep ${sleep}`), stop.signal);
    await until(() => processesWith(sleep).length >= 2);
    stop.abort();
    expect(await running).toMatchObject({ ending: "abandoned" });
    await until(() => processesWith(sleep).length === 0);
    expect(await run(node("1"), stop.signal)).toMatchObject({ ending: "abandoned" });
  });

  // Attack (shell): Kill the supervising process
  // -> Refused: the result says so, and what is left is ended
  test("a supervisor that is killed takes it along, and that is said", async () => {
    const sleep = ownSleep();
    const running = run(shell(`setsid sleep ${sleep} & sleep ${sleep}`, supervisor, sleep));
    await until(() => processesWith(sleep).length >= 3);
    for (const pid of supervisorsOf(sleep)) process.kill(pid, "SIGKILL");
    expect(await running).toMatchObject({ ending: "lost", exit: null });
    await until(() => processesWith(sleep).length === 0);
  });
});

const inNamespace = best.kind === "namespace";
const hidden = (sleep: string): string => `env -i setsid sh -c ': > there; exec sleep ${sleep}' &`;
/** Each is gone before anybody can look at it, and has left another. */
const chain = (sleep: string): string =>
  `printf 'sleep 0.00${"$"}((2)); : > there; env -i PATH="$PATH" setsid sh "$0" "$1" &' > chain; setsid sh chain ${sleep} &`;
const onceThere = "until [ -e there ]; do sleep 0.02; done";

test.runIf(inNamespace).each([
  ["hides from its marker", hidden],
  ["forks again and again", chain],
])("in a namespace even one that %s ends with it", async (_how, attack) => {
  const sleep = ownSleep();
  const done = await commandRunner(supervisor, best)(shell(`${attack(sleep)} ${onceThere}`));
  expect(done).toMatchObject({ ending: "exited", exit: 0, contained: "namespace" });
  await until(() => processesWith(sleep).length === 0);
});

// Attack (shell): Have it hide from the marker (`env -i setsid`), or fork again and again
// -> In a process namespace: all of it ends. Elsewhere not caught, and on record that only a marker contained it
test("elsewhere one that hides from its marker outlives it, and it is on record that only a marker held it", async () => {
  const sleep = ownSleep();
  const done = await commandRunner(supervisor, marked)(shell(`${hidden(sleep)} ${onceThere}`));
  const [escaped = 0, ...others] = processesWith(sleep);
  expect(others).toEqual([]);
  process.kill(escaped, "SIGKILL");
  expect(done).toMatchObject({ ending: "exited", exit: 0, contained: "marker" });
});

test.runIf(inNamespace)("in a namespace a process whose parent is gone is seen off when it ends", async () => {
  const script = `sh -c 'sh -c "echo \\$\\$ > orphan" & :'; until [ -s orphan ]; do sleep 0.02; done
    while kill -0 "$(cat orphan)"; do sleep 0.02; done 2> /dev/null`;
  expect(await commandRunner(supervisor, best)(shell(script))).toMatchObject({ ending: "exited", exit: 0 });
});

// Attack (shell): Reach files that the host left open for us
// -> Refused: they are closed, however high their number
test("what its supervisor inherited open is closed for it, however high its number", async () => {
  const leaking = {
    ...marked,
    before: ["bash", "-c", 'exec 7< /dev/null 200< /dev/null 1500< /dev/null; exec "$@"', "bash"],
  };
  const { output } = await commandRunner(supervisor, leaking)(job("bash", "-c", "echo /proc/$$/fd/*"));
  expect(
    output
      .split(" ")
      .map((path) => Number(path.split("/").at(-1)))
      .filter((fd) => (fd > 6 && fd < 255) || fd > 255),
  ).toEqual([]);
});

/** The supervising processes of commands that have a word in their command line: their parents. */
function supervisorsOf(word: string): number[] {
  const parents = processesWith(word).map((pid) => Number(/PPid:\s*(\d+)/.exec(statusOf(pid))?.[1]));
  return parents.filter((pid) => processesWith(supervisor).includes(pid) && !processesWith(word).includes(pid));
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}
