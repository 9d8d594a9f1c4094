import { expect, it } from "vitest";
import { runCli } from "../command-line.ts";
import { eras } from "../window.ts";
import { openBridged, ranIn, serverProject, workTree } from "./bridging.ts";
import { startServer } from "./server.ts";

const honest = { evidence: { summary: "done" }, confirmation: "yes" };

it.each(eras)("an assistant's checks run where its files are (%s)", async (era) => {
  const { root } = serverProject();
  const { url } = await startServer(root);
  const tree = workTree({ passed: 11, failed: 1 });
  const window = await openBridged(url, tree, { era });
  await window.call("shape_bot");
  const claim = { evidence: { summary: "done", tests_passed: 12 }, confirmation: "yes" };
  const untrusted = await window.call("complete_action", claim);
  expect(untrusted).toMatchObject({ status: "refused", error: "check_untrusted" });
  expect(ranIn(tree)).toBe(0);
  const { stdout } = await runCli(["trust", "--root", tree.root, "--yes"]);
  expect(stdout).toContain("run-tests.cjs");
  const failed = await window.call("complete_action", claim);
  expect(failed).toMatchObject({ status: "refused", error: "check_failed" });
  expect(failed.message).toContain("failed: f0");
  tree.write("plan.json", { passed: 11 });
  const lied = await window.call("complete_action", claim);
  expect(lied).toMatchObject({ status: "refused", missing_evidence: ["tests_passed (claimed 12, found 11)"] });
  expect(await window.call("complete_action", honest)).toMatchObject({ status: "completed" });
  expect(ranIn(tree)).toBe(2);
});
