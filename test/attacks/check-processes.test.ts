import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { findContainer } from "../../src/checks/commands/container.ts";
import { ownSleep, processesWith, until } from "../../src/checks/commands/processes.testing.ts";
import { makeProject, type Project } from "../project.ts";
import { gateFile, trustAll } from "../proving.ts";
import { openProcess, openWindow } from "../window.ts";

/** A project whose first action has a check of a shell's. */
function projectWith(script: string, more = ""): Project {
  const project = makeProject();
  project.write(gateFile, `checks:\n  - name: works\n    run: ${JSON.stringify(["sh", "-c", script])}\n${more}`);
  project.write(".waymark/config.json", { checks: { wait: "1s" } });
  return project;
}

const done = { confirmation: "yes" };

/** What the check of a project comes to, and that the next call goes on. */
async function checkIn(project: Project): Promise<{ summary: string; output?: string | undefined }> {
  await trustAll(project);
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  let answer = await window.call("complete_action", done);
  while (answer.status === "checking") answer = await window.call("complete_action", done);
  expect(answer).toMatchObject({ status: "refused", error: "check_failed" });
  expect(await window.call("discovery_bot", { run: "next" })).toMatchObject({ status: "started" });
  const [check] = answer.checks ?? [];
  return { summary: check?.summary ?? "", output: check?.output };
}

const junit = "    report: {format: junit, path: out.xml}\n";

// Attack (shell): Put a link in the place of a report, a pipe, a device or an endless file
test.each([
  ["hangs", "sleep 3000", "    timeout: 1s\n", /timed out after 1 s/],
  ["does not exist any more", "exec no-such-program", "", /exited with 127/],
  ["leaves a pipe for a report", "mkfifo out.xml", junit, /was not written/],
  ["leaves a device for a report", "ln -s /dev/zero out.xml", junit, /was not written|plain file|link/],
  ["leaves an endless report", "truncate -s 1T out.xml", junit, /longer than/],
])("a check that %s fails and is said", async (_what, script, more, said) => {
  expect((await checkIn(projectWith(script, more))).summary).toMatch(said);
});

test("a check in a folder that has become a link to another place is not run there", async () => {
  const project = projectWith(": > ran; exit 1", "    cwd: sub\n");
  symlinkSync(makeProject().root, join(project.root, "sub"));
  await checkIn(project);
  expect(existsSync(join(project.root, "sub", "ran"))).toBe(false);
});

const best = await findContainer();

/** Takes from this process the programs that make a namespace, as on a machine that has none. */
function withoutNamespaces(): void {
  const folder = join(makeProject().root, "bin");
  mkdirSync(folder);
  for (const name of ["sh", "sleep", "setsid", "git", "node", "env"]) symlinkSync(programAt(name), join(folder, name));
  const { PATH } = process.env;
  process.env.PATH = folder;
  onTestFinished(() => {
    process.env.PATH = PATH;
  });
}

function programAt(name: string): string {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? "";
}

const pidsOf = (word: string): number[] => processesWith(word);
const parentOf = (pid: number): number =>
  Number(/PPid:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);

describe.each([
  ["contained as well as this machine can", best.kind],
  ["where no namespace can be had", "marker"],
])("%s, a server that is killed", (_how, kind) => {
  // Attack (shell): Kill the server, with or without the supervising process
  // -> Everything of its checks ends: at once in a namespace, elsewhere at the next start. The next server runs the check again
  test("takes its check along; also with its supervisor, else what is left is swept at the next start; and the check is run again", async () => {
    if (kind === "marker") withoutNamespaces();
    const sleep = ownSleep();
    const project = projectWith(`[ -e .waymark/go ] || { trap '' TERM; setsid sleep ${sleep} & sleep ${sleep}; }`);
    await trustAll(project);
    const begin = async () => {
      const window = await openProcess(project.root);
      await window.call("shape_bot");
      expect(await window.call("complete_action", done)).toMatchObject({ status: "checking" });
      await until(() => pidsOf(`sleep\0${sleep}`).length === 2);
      return window;
    };
    await (await begin()).kill();
    await until(() => pidsOf(sleep).length === 0);

    const second = await begin();
    const supervisors = pidsOf("supervise.js").filter((pid) => descendsFrom(pid, second.pid));
    process.kill(second.pid, "SIGSTOP");
    for (const pid of supervisors) killIfAlive(pid); // one of them may take the others along
    await second.kill();
    if (kind === "namespace") await until(() => pidsOf(sleep).length === 0);
    else expect(pidsOf(sleep).length).toBeGreaterThan(0);

    project.write(".waymark/go", "now");
    const third = await openProcess(project.root);
    await until(() => pidsOf(sleep).length === 0);
    await third.call("shape_bot");
    let answer = await third.call("complete_action", done);
    while (answer.status === "checking") answer = await third.call("complete_action", done);
    expect(answer).toMatchObject({ status: "completed", checks: [{ status: "passed" }] });
    expect(project.read(".waymark/journal/story_bot.jsonl")).toContain(`"contained":"${kind}"`);
  });
});

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function descendsFrom(pid: number, ancestor: number): boolean {
  try {
    const parent = parentOf(pid);
    return parent === ancestor || (parent > 1 && descendsFrom(parent, ancestor));
  } catch {
    return false;
  }
}
