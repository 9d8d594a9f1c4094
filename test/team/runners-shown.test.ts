import { expect, it } from "vitest";
import { runCli } from "../command-line.ts";
import { serverProject } from "./bridging.ts";
import { byHand, enrolledRunner } from "./enrolling.ts";
import { makeToken, startServer } from "./server.ts";

it("status and the dashboard show the runners, when each was last seen, and what waits for one", async () => {
  const project = serverProject();
  project.write(".waymark/config.json", { checks: { wait: "1s" } });
  const own = await enrolledRunner(project.root, "ci", "independent");
  await runCli(["runner", "--enroll", "new", "--root", project.root]);
  const { open, url } = await startServer(project.root);
  const window = await open({ token: await makeToken(project.root, "anna", "agent") });
  await window.call("shape_bot");
  await window.call("complete_action", { evidence: { summary: "done" }, confirmation: "yes" });
  const shown = async () => (await runCli(["status", "--root", project.root])).stdout;
  expect(await shown()).toContain("waiting for a runner");
  expect(await shown()).toContain("runner ci: independent, not seen yet");
  expect(await shown()).toContain("runner new: does not count: no approver has trusted it");
  expect((await runCli(["status", "--all", "--root", project.root])).stdout).toContain("waiting for a runner");
  const runner = byHand(url, own, await makeToken(project.root, "ci", "runner"));
  const found = await runner.claim();
  expect(await shown()).toContain("runner ci: independent, last seen");
  const viewer = await makeToken(project.root, "vera", "viewer");
  const list = await fetch(url.replace("/mcp", "/api/runs"), { headers: { authorization: `Bearer ${viewer}` } });
  const { runs, runners } = (await list.json()) as { runs: { now: object }[]; runners: object[] };
  expect(runs[0]?.now).toMatchObject({ runnerChecks: ["tests"] });
  expect(runners).toEqual([
    { name: "ci", level: "independent", seen: expect.stringMatching(/^20/) },
    { name: "new", problem: expect.stringContaining("no approver") },
  ]);
  if (found === null) throw new Error("There is nothing to claim.");
  await runner.send(found, { change: { commit: "a".repeat(40) } });
  expect(await shown()).not.toContain("waiting for a runner");
});
