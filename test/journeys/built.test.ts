import { expect, test } from "vitest";
import { program } from "../../src/cli/program.ts";
import { runCli, runProcess } from "../command-line.ts";
import { makeProject } from "../project.ts";
import { wholeOr } from "../whole.ts";
import { openWindow } from "../window.ts";

/** What each command is asked here: nothing that changes what the next one would say. */
const asked: Record<string, string[][]> = {
  init: [["init", "--client", "claude", "--dry-run"]],
  status: [["status"], ["status", "--json"]],
  log: [["log", "--verify"]],
  back: [["back", "render_output"]],
  show: [["show", "story_bot.shape"]],
  approve: [["approve"], ["approve", "--enroll", "dana"]],
  reject: [["reject"]],
  answer: [["answer", "story_bot.shape", "go on"]],
  waive: [["waive", "story_bot.shape", "proof", "--reason", "none"]],
  drop: [["drop", "story_bot.shape", "T001", "--reason", "none"]],
  end: [["end", "story_bot.shape", "no-go"]],
  start: [["start", "nothing"]],
  update: [["update", "nobody"]],
  archive: [["archive", "nobody"]],
  adopt: [["adopt", "nothing.md"]],
  generate: [["generate", "stroy_bot"]],
  forget: [["forget", "nobody", "--reason", "none"]],
  token: [["token", "list"]],
  runner: [["runner", "--enroll", "../x"]],
  notify: [["notify"]],
  doctor: [["doctor", "--help"]],
  trust: [["trust", "--list"]],
  verify: [["verify", "--require", "shape"]],
  export: [["export", "--json"]],
  import: [["import", "nothing.jsonl"]],
  search: [["search", "how", "to", "retry"]],
  check: [["check", "--draw"]],
};

/** The commands that `npm test` compares; `npm run test:all` compares them all. */
const sample = new Set(["status", "show", "verify", "check", "--help", "sttaus"]);

test("every command says here what it says as it was built, in a process of its own", async () => {
  const served = ["serve", "dashboard", "hook"]; // are started as they were built wherever a process is the point
  expect([...Object.keys(asked), ...served].sort()).toEqual(program.commands.map((command) => command.name()).sort());
  const project = makeProject();
  project.write(".waymark/standards/http.md", "# Calling services\n\nRetry three times.\n");
  const window = await openWindow(project.root);
  await window.pass("shape_bot");
  await window.call("shape_bot");
  await window.close();
  const lines = [...Object.values(asked).flat(), ["--help"], ["--version"], ["sttaus"], ["status", "--rot", "."]];
  for (const args of wholeOr(
    lines,
    lines.filter(([name = ""]) => sample.has(name)),
  )) {
    const here = await runCli(args, project.root, { HOME: project.root });
    const built = await runProcess(args, project.root, { HOME: project.root });
    expect(settled(here), args.join(" ")).toEqual(settled(built));
    expect(here.stdout + here.stderr, args.join(" ")).not.toBe("");
  }
});

/** Without what differs from one moment to the next. */
function settled({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }): unknown {
  return { code, stderr, stdout: stdout.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d+ s\b/g, "<time>") };
}
