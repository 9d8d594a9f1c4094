import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../command-line.ts";
import { overHttp } from "../doors.ts";
import { cannotMount, run } from "../faults/mounts.ts";
import { kinds, placeOf } from "../hands.ts";
import { makeProject } from "../project.ts";
import { honest, provingProject, trustAll } from "../proving.ts";
import { wholeOr } from "../whole.ts";
import { openProcess, openWindow } from "../window.ts";

const plan = { path: "docs/plan.md", text: "# Plan\n" };

// Attack (tools): Submit content while the disk is full, with a server that is killed then
// -> Refused: `unavailable`. What was answered as completed has its file
test.skipIf(overHttp("the server's disk is not the assistant's")).each(kinds)(
  "content that cannot be stored is refused, and nothing is completed (%s)",
  async (kind) => {
    const place = placeOf(kind);
    const { handIn: submit } = await place.open({ era: "2025" });
    const held = place.project.path(".waymark/held");
    rmSync(held, { recursive: true, force: true });
    mkdirSync(place.project.path(".waymark"), { recursive: true });
    writeFileSync(held, "no folder can be made here");
    const refused = await submit({ content: [plan], confirmation: "yes" });
    expect(refused.verdict).toBe("unavailable");
    expect(refused.kept).toEqual({ outputs: [], content: [] });
    rmSync(held);
    expect((await submit({ content: [plan], confirmation: "yes" })).verdict).toBe("completed");
  },
);

// Attack (file tools): Remove a recorded file
// -> Exposed by `verify`: a note that names it
test.skipIf(overHttp("a person verifies files"))("verify names a recorded file that is missing", async () => {
  const project = makeProject();
  const window = await openWindow(project.root);
  await window.pass("shape_bot", { content: [plan] });
  expect(existsSync(project.path(plan.path))).toBe(true);
  const notes = async (): Promise<string> => {
    const { stdout, code } = await runCli(["verify", "--json", "--root", project.root]);
    expect(code).toBe(0);
    return String(JSON.parse(stdout).desks[0].notes);
  };
  expect(await notes()).not.toContain(plan.path);
  rmSync(project.path(plan.path));
  expect(await notes()).toContain("1 recorded file missing: docs/plan.md");
});

// Attack (file tools): Make a recorded file, or one that a proof read, larger than a disk
// -> Read by no command: it is named as another by its size
test.skipIf(overHttp("a person verifies files"))("a file of a terabyte holds up no command", async () => {
  const project = provingProject({ passed: 1 });
  project.write("src/a.js", "one\n");
  project.write(plan.path, plan.text);
  await trustAll(project);
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  const done = await window.call("complete_action", { ...honest, content: [plan] });
  expect(done.status).toBe("completed");
  for (const file of [plan.path, "src/a.js"]) truncateSync(project.path(file), 2 ** 40);
  expect((await runCli(["status", "--root", project.root])).stdout).toContain("src/a.js");
  const { stdout } = await runCli(["verify", "--require", "shape", "--root", project.root]);
  expect(stdout).not.toContain("missing: docs/plan.md");
});

/** The room left on the disk, in KB: from none to enough for everything. */
const room = Array.from({ length: 44 }, (_, at) => at * 12).filter((_, at) => wholeOr(true, at % 9 === 0));

// Attack (shell): Kill the server at any moment, fill the disk, pull the plug
test.skipIf(overHttp("the server's disk is not the assistant's") || cannotMount() !== undefined).each(room)(
  "on a real disk with %i KB left, and a server that is killed then, a completed action has its file",
  async (left) => {
    const area = mkdtempSync(join(tmpdir(), "waymark-disk-"));
    run("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", area);
    onTestFinished(() => run("umount", "-l", area));
    cpSync(makeProject().root, area, { recursive: true });
    const window = await openProcess(area);
    await window.call("shape_bot");
    const { bavail, bsize } = statfsSync(area);
    const free = Math.max(0, bavail * bsize - left * 1024);
    writeFileSync(join(area, "fill.bin"), Buffer.alloc(Math.max(0, free - 4 * bsize)));
    const text = "x".repeat(200_000);
    const content = [{ path: "docs/plan.md", text }];
    const { status } = await window.call("complete_action", { content, confirmation: "yes" });
    await window.kill();
    rmSync(join(area, "fill.bin"));
    const again = await openProcess(area);
    const { action } = await again.call("shape_bot", { resume: "continue" });
    if (status !== "completed") return expect(action).toBe("gather_context");
    expect(action).toBe("decide_planning_criteria");
    expect(readFileSync(join(area, "docs/plan.md"), "utf8")).toBe(text);
  },
);
