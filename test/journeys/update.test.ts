import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { sha256 } from "../../src/kit/sha256.ts";
import { runCli } from "../command-line.ts";
import { overHttp } from "../doors.ts";
import { reply, sitDown } from "../people.ts";
import { callPhase } from "../phased.ts";
import { makeProject, type Project } from "../project.ts";
import { openWindow } from "../window.ts";

const phase = (number: number, asks: string): string =>
  `## Phase ${number}: Step ${number}\n\n### Evidence\n\n${asks}\n\n`;
const page = (...asks: readonly string[]): string =>
  `# Review\n\n${asks.map((each, at) => phase(at + 1, each)).join("")}`;

/** A session of three phases with two of them completed. */
async function underWay(): Promise<{ readonly project: Project; readonly session: string }> {
  const project = makeProject();
  project.write(
    ".waymark/workflows/review.md",
    page("- `files_read`: integer, at least 1", "- `findings`: list", "- `report`: text"),
  );
  const window = await openWindow(project.root);
  const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "review", target_file: "a.ts" });
  const passed = [{ files_read: 3 }, { findings: ["one"] }];
  for (const [at, evidence] of passed.entries())
    expect(await callPhase(window, "complete_phase", { session_id, phase: at + 1, evidence })).toMatchObject({
      checkpoint_passed: true,
    });
  await window.close();
  return { project, session: session_id };
}

async function stateOf(project: Project, session_id: string) {
  const window = await openWindow(project.root);
  const state = await callPhase(window, "get_workflow_state", { session_id });
  const read = await callPhase(window, "get_phase_content", { session_id });
  await window.close();
  return { ...state, asked: Object.keys(read.checkpoint_criteria?.required_evidence ?? {}), shown: read.warnings };
}

const atTerminal = test.skipIf(overHttp("a terminal of its own has no store named"));

atTerminal("a session that a person updates keeps the phases whose gates mean the same", async () => {
  const { project, session } = await underWay();
  project.write(
    ".waymark/workflows/review.md",
    page("- `files_read`: integer, at least 1", "- `findings`: list", "- `summary_of_it`: text"),
  );
  const before = await stateOf(project, session);
  expect(before).toMatchObject({ current_phase: 3, asked: ["report"] });
  expect(before.shown.join()).toContain("waymark update");
  const person = sitDown();
  const asked = person.runs(project, ["update", "a.ts"]);
  await asked.sees("To be done by the current definition: Phase 3.");
  await reply(asked, "to the current definition? [y/N]", "y");
  await asked.ends();
  const after = await stateOf(project, session);
  expect(after).toMatchObject({ current_phase: 3, completed_phases: [1, 2], asked: ["summary_of_it"] });
  expect(after.shown).toEqual([]);
  expect((await runCli(["verify", "--root", project.root])).code).toBe(0);
  expect((await runCli(["log", "--root", project.root, "--json"])).stdout).toContain('"updated"');
});

atTerminal("the first completed phase whose gate differs is done again, with all that followed", async () => {
  const { project, session } = await underWay();
  project.write(
    ".waymark/workflows/review.md",
    page("- `files_read`: integer, at least 5", "- `findings`: list", "- `report`: text", "- `sent_to`: text"),
  );
  const person = sitDown();
  const no = person.runs(project, ["update", session.slice(0, 12)]);
  await no.sees("To be done by the current definition: Phase 1, Phase 2, Phase 3.");
  await reply(no, "to the current definition? [y/N]", "");
  await no.ends();
  expect(await stateOf(project, session)).toMatchObject({ current_phase: 3, total_phases: 3 });
  const yes = person.runs(project, ["update", session]);
  await reply(yes, "to the current definition? [y/N]", "y");
  await yes.ends();
  expect(await stateOf(project, session)).toMatchObject({ current_phase: 1, total_phases: 4, completed_phases: [] });
  const window = await openWindow(project.root);
  const refused = await callPhase(window, "complete_phase", {
    session_id: session,
    phase: 1,
    evidence: { files_read: 3 },
  });
  expect(refused.checkpoint_passed).toBe(false);
  await window.close();
});

atTerminal("a definition that cannot be used, or that is the same, updates nothing", async () => {
  const { project, session } = await underWay();
  const person = sitDown();
  const same = person.runs(project, ["update", session]);
  await same.sees("already follows the current definition");
  await same.ends();
  project.write(".waymark/workflows/review.md", page("- `files_read`: integer, at least 1"));
  const short = person.runs(project, ["update", session]);
  await short.sees("has only 1 phases");
  await short.ends();
  expect(await stateOf(project, session)).toMatchObject({ current_phase: 3, total_phases: 3 });
});

test("without a terminal nothing is updated", async () => {
  const { project, session } = await underWay();
  const { code, stderr } = await runCli(["update", session, "--root", project.root]);
  expect(code).toBe(1);
  expect(stderr).toContain("a person's decision");
});

atTerminal("the assistant that was at work reads the phase again and goes on after an update", async () => {
  const project = makeProject();
  const pageOf = (least: number): string => page(`- \`files_read\`: integer, at least ${least}`, "- `report`: text");
  project.write(".waymark/workflows/review.md", pageOf(1));
  const window = await openWindow(project.root);
  const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "review", target_file: "a.ts" });
  project.write(".waymark/workflows/review.md", pageOf(5));
  const person = sitDown();
  const asked = person.runs(project, ["update", session_id]);
  await reply(asked, "to the current definition? [y/N]", "y");
  await asked.ends();
  const submit = (files_read: number) =>
    callPhase(window, "complete_phase", { session_id, phase: 1, evidence: { files_read } });
  const late = await submit(5);
  expect(late.error).toBe("conflict");
  expect(late.required_action).toContain("get_phase_content");
  const read = await callPhase(window, "get_phase_content", { session_id });
  expect(JSON.stringify(read.checkpoint_criteria)).toContain("at least 5");
  expect((await submit(3)).checkpoint_passed).toBe(false);
  expect((await submit(5)).checkpoint_passed).toBe(true);
  await window.close();
});

test("check says what an earlier reader made of a page that a session was pinned with", async () => {
  const { project } = await underWay();
  const found = async () => (await runCli(["check", "--compact", "--root", project.root])).stdout;
  expect(await found()).not.toContain("read otherwise");
  const [pin = ""] = readdirSync(project.path(".waymark/pinned"));
  const copy = project
    .read(`.waymark/pinned/${pin}`)
    .replace('"kind":"at_least","limit":1', '"kind":"more_than","limit":1');
  project.write(`.waymark/pinned/${pin}`, copy);
  expect(await found()).not.toContain("read otherwise"); // a copy that was changed is none
  project.write(`.waymark/pinned/${sha256(copy)}.json`, copy);
  expect(await found()).toMatch(
    /review\.md:7.* phase 1 was read otherwise before: files_read was integer, more than 1, and is integer, at least 1/,
  );
});
