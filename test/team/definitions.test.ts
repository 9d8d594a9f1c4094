import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../command-line.ts";
import { addWorkflow, callPhase, evidenceFor, fieldOf } from "../phased.ts";
import { freshProject, postgresUrl } from "../postgres.ts";
import { makeProject, type Project } from "../project.ts";
import { newer } from "../window.ts";
import { type Server, startServer } from "./server.ts";

/** A folder of definitions that no assistant reaches, and the servers that read it, over one database. */
async function team(servers: number): Promise<{ readonly author: Project; readonly servers: readonly Server[] }> {
  const author = makeProject();
  addWorkflow(author, { type: "plan" });
  author.write(".waymark/standards/tea.md", "# Brewing\n\nGreen tea is brewed at eighty degrees.\n");
  const about = { store: await postgresUrl(), project: freshProject(), definitions: author.path(".waymark") };
  const started: Server[] = [];
  for (let count = 0; count < servers; count++) started.push(await startServer(makeProject().root, about));
  return { author, servers: started };
}

describe.each(newer)("definitions on the server, in the era of %s", (era) => {
  it("count as they stand, without a restart: a gate at the next call, a workflow for new sessions, standards on every replica", async () => {
    const { author, servers } = await team(2);
    const windows = await Promise.all(servers.map(({ open }) => open({ era })));
    const [one, other] = windows;
    if (one === undefined || other === undefined) throw new Error("Two servers have two windows.");
    await one.call("shape_bot");
    const session = await callPhase(one, "start_workflow", { workflow_type: "plan", target_file: "a" });
    expect(JSON.stringify(await other.call("search_standards", { query: "green tea" }))).toContain("eighty");

    author.write(
      ".waymark/base_actions/gather_context/gate-definition.yaml",
      "evidence_schema:\n  sources:\n    type: integer\n    required: true\n",
    );
    author.write(
      ".waymark/workflows/plan/phases/1/gate-definition.yaml",
      "evidence_schema:\n  cups:\n    type: integer\n    required: true\n",
    );
    author.write(".waymark/standards/tea.md", "# Brewing\n\nGreen tea is brewed at seventy degrees.\n");

    for (const window of windows) {
      await expect
        .poll(async () => (await window.call("complete_action", { confirmation: "yes" })).missing_evidence)
        .toEqual([expect.stringContaining("sources")]);
      await expect
        .poll(async () => JSON.stringify(await window.call("search_standards", { query: "green tea" })))
        .toContain("seventy");
      const fresh = await callPhase(window, "start_workflow", { workflow_type: "plan", target_file: "b" });
      expect(Object.keys(fresh.checkpoint_criteria?.required_evidence ?? {})).toEqual(["cups"]);
    }
    // The session that was under way keeps what it began with, at whichever server.
    const still = await callPhase(other, "get_phase_content", { session_id: session.session_id });
    expect(Object.keys(still.checkpoint_criteria?.required_evidence ?? {})).toEqual([fieldOf(1)]);
    expect(still.warnings.join()).toMatch(/changed/);
    const passed = { session_id: session.session_id, phase: 1, evidence: evidenceFor(1) };
    expect(await callPhase(one, "complete_phase", passed)).toMatchObject({ checkpoint_passed: true });
  });
});

it("which version serves is in the log, in /metrics and in verify, with the commit of a git checkout; another one is said", async () => {
  const author = makeProject();
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {
      cwd: author.root,
      encoding: "utf8",
    }).trim();
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "first");
  const { root } = makeProject();
  const server = await startServer(root, { definitions: author.path(".waymark") });
  const said = (): { message: string; project: string; definitions: string; commit: string }[] =>
    server
      .log()
      .split("\n")
      .flatMap((line) => (line.includes('"definitions"') ? [JSON.parse(line)] : []));
  await expect.poll(() => said().length).toBe(1);
  const first = { project: "default", commit: git("rev-parse", "HEAD"), message: "Serving these definitions." };
  expect(said()[0]).toMatchObject({ ...first, definitions: expect.stringMatching(/^[0-9a-f]{16}$/) });
  const metrics = await (await fetch(new URL("/metrics", server.url))).text();
  expect(metrics).toContain(`waymark_definitions_info{version="${said()[0]?.definitions}",commit="${first.commit}"} 1`);
  expect(metrics).not.toContain("default");

  author.write(".waymark/base_actions/gather_context/instructions.md", "Ask first.");
  git("commit", "-qam", "second");
  git("pack-refs", "--all");
  await expect.poll(() => said().at(-1)?.commit).toBe(git("rev-parse", "HEAD"));
  expect(said().at(-1)).toMatchObject({ message: "The definitions have changed." });
  expect(said().at(-1)?.definitions).not.toBe(said()[0]?.definitions);
  const args = ["verify", "--json", "--root", root, "--definitions", join(author.root, ".waymark")];
  const { definitions } = JSON.parse((await runCli(args)).stdout);
  expect(definitions).toEqual({ version: said().at(-1)?.definitions, commit: git("rev-parse", "HEAD") });
});
