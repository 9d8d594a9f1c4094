import { beforeEach, expect, test } from "vitest";
import { startBoard } from "../board.ts";
import { visit } from "../browser.ts";
import { runCli } from "../command-line.ts";
import { forge } from "../forge.ts";
import { claudeSession, contextIn } from "../hooks/hook.ts";
import { enrolOn } from "../page.ts";
import { callPhase, emptyProject } from "../phased.ts";
import type { Project } from "../project.ts";
import { openWindow, type Window } from "../window.ts";

const page = `---
inputs:
  ui: { type: boolean, default: false }
outcomes: [done, no-go]
---
# Change

## Phase 1: Build
\`\`\`yaml gate
evidence_schema:
  summary: { type: string, required: true }
\`\`\`

## Phase 2: Screens
\`\`\`yaml gate
when: inputs.ui == true
evidence_schema:
  screens: { type: integer, required: true }
\`\`\`

## Phase 3: Review
\`\`\`yaml gate
role: reviewer, in a fresh context
evidence_schema:
  findings: { type: integer, required: true }
then:
  - { when: findings > 0, back_to: build, at_most: 1 }
\`\`\`
`;

let project: Project;
let window: Window;
let session: string;

const complete = (phase: number, evidence: object) =>
  callPhase(window, "complete_phase", { session_id: session, phase, evidence });

beforeEach(async () => {
  project = emptyProject();
  project.write(".waymark/workflows/change.md", page);
  window = await openWindow(project.root);
  ({ session_id: session } = await callPhase(window, "start_workflow", { workflow_type: "change" }));
  await complete(1, { summary: "first" });
  await complete(3, { findings: 2 });
});

async function said(...args: string[]): Promise<string> {
  return (await runCli([...args, "--root", project.root])).stdout;
}

test("people see the round, what was passed over and where a run came back from", async () => {
  expect(await said("status")).toContain("round 2 (back from 3)");
  const status = JSON.parse(await said("status", "--json"));
  expect(status.sessions[0]).toMatchObject({ current_phase: 1, round: 2, came_back_from: "3" });
  const log = await said("log");
  expect(log).toMatch(/passed over\s+change\.2\s+inputs\.ui == true/);
  expect(log).toMatch(/went back\s+change\.1\s+from 3/);

  const board = await startBoard(project.root);
  const key = encodeURIComponent(`session:${session}`);
  const { steps } = (await board.ask(`/api/runs/${key}`)).data.workflows[0];
  expect(steps[0]).toMatchObject({ round: 2, cameBackFrom: "3" });
  await complete(1, { summary: "second" });
  const later = (await board.ask(`/api/runs/${key}`)).data.workflows[0].steps;
  expect(later).toMatchObject([{ sign: "d", round: 2, cameBackFrom: "3" }, { passedOver: true }, { round: 2 }]);

  const { code } = await runCli(["export", "--svg", session, "--root", project.root, "--out", `${project.root}/svg`]);
  const picture = project.read(`svg/${session}.svg`);
  expect([code, picture]).toEqual([0, expect.stringContaining("1 Build, round 2, back from 3")]);
  expect(picture).toContain("2 Screens, passed over");
});

test("the card of a host session names the round and where the step came from, and nothing that is hidden", async () => {
  await window.close();
  const host = claudeSession(project, "one");
  const tool = { tool_name: "mcp__waymark__get_phase_content", tool_input: { session_id: session } };
  await host.tell("PreToolUse", tool);
  const card = contextIn(await host.tell("SessionStart", { source: "compact" }));
  expect(card).toContain("round 2, back from 3");
  expect(card).not.toMatch(/screens|inputs\.ui|at_most|passed/i);
});

test("the card of a step at its bound names the commands that continue it", async () => {
  await complete(1, { summary: "second" });
  expect(await complete(3, { findings: 1 })).toMatchObject({ status: "blocked" });
  await window.close();
  const host = claudeSession(project, "one");
  const tool = { tool_name: "mcp__waymark__get_phase_content", tool_input: { session_id: session } };
  await host.tell("PreToolUse", tool);
  const card = contextIn(await host.tell("SessionStart", { source: "compact" }));
  expect(card).toContain(`waymark answer ${session} "TEXT" --again (or --continue)`);
  expect(card).not.toContain("waive");
});

test("on the dashboard a person passes the bound and ends the run, each with their passkey", async () => {
  await complete(1, { summary: "second" });
  await complete(3, { findings: 1 });
  await visit(async ({ page, authenticator }) => {
    await authenticator();
    await enrolOn(page, project, "dana");
    const board = await startBoard(project.root);
    await page.goto(`${board.url}/inbox`);
    await page.getByText(`waymark answer ${session} "TEXT" --again`).waitFor();
    expect(await page.getByRole("button", { name: "Waive selected" }).count()).toBe(0);
    await page.getByLabel("Your answer, or the reason for waiving").fill("Once more.");
    await page.getByRole("button", { name: "One more round" }).click();
    await page.getByRole("heading", { name: "Recorded" }).or(page.getByText("Already answered.")).first().waitFor();
    const read = await callPhase(window, "get_phase_content", { session_id: session });
    expect(read).toMatchObject({ phase_number: 1, round: 3, message: expect.stringContaining("Once more.") });

    await callPhase(window, "complete_phase", { session_id: session, phase: 1, evidence: {}, blocked: "No tool." });
    await page.goto(`${board.url}/inbox`);
    await page.getByText("No tool.").first().waitFor();
    await page.getByLabel("Your answer, or the reason for waiving").fill("Then stop.");
    await page.getByRole("button", { name: "End as no-go" }).click();
    await page.getByText("Recorded").or(page.getByText("Already answered.")).first().waitFor();
  });
  expect(await complete(1, { summary: "third" })).toMatchObject({ isError: true });
  const after = await startBoard(project.root);
  const { sentence } = (await after.ask(`/api/runs/${encodeURIComponent(`session:${session}`)}`)).data;
  expect(sentence).toContain("Ended as no-go");
  const verify = ["verify", "--require", "change", "--outcome", "no-go", "--allow-waived", "--root", project.root];
  expect((await runCli(verify)).code).toBe(0);
  forge(project, `.waymark/journal/sessions/${session}.jsonl`, (event) =>
    event.type === "finished" ? { ...event, reason: "Something else." } : event,
  );
  const { code, stdout } = await runCli(verify);
  expect([code, stdout]).toEqual([1, expect.stringContaining("it was signed for a different comment")]);
});
