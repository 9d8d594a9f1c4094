import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { type Checked, isDone, openChecked, testsGate } from "../checked.ts";
import { kinds, someWays } from "../hands.ts";
import { callPhase } from "../phased.ts";

/** Everything that a person or an assistant can look at. */
async function looks(kind: string, { says, window, run }: Checked): Promise<readonly string[]> {
  const asked =
    kind === "phase" ? [JSON.stringify(await callPhase(window, "get_workflow_state", { session_id: run }))] : [];
  return [
    ...asked,
    await says("status"),
    await says("status", "--json"),
    await says("show"),
    await says("show", run),
    await says("show", run, "--json"),
  ];
}

describe("a proof whose files have changed since", () => {
  test.each(someWays)(
    "is said to be stale with the first three paths, wherever somebody looks (%s, %s)",
    async (kind, era) => {
      const work = await openChecked(kind, [testsGate()], {
        era,
        prepare: ({ root, write }) => {
          write("src/a.js", "one");
          execFileSync("git", ["init", "-q", root]);
        },
      });
      const { handIn: submission, project } = work;
      const content = [{ path: "src/a.js" }];
      expect(
        isDone(await submission({ summary: "done" }, { outputs: { story: "a record is written of this" }, content })),
      ).toBe(true);
      for (const text of await looks(kind, work)) expect(text).not.toContain("stale");
      for (const name of ["a", "b", "c", "d"]) project.write(`src/${name}.js`, "two");
      for (const text of await looks(kind, work)) {
        expect(text).toContain("stale");
        expect(text.replaceAll(/[\s"]+/g, " ").replaceAll(" ,", ",")).toContain("src/a.js, src/b.js, src/c.js");
        expect(text).not.toContain("src/d.js");
      }
      project.write("src/a.js", "one");
      for (const name of ["b", "c", "d"]) project.remove(`src/${name}.js`);
      for (const text of await looks(kind, work)) expect(text).not.toContain("stale");
    },
  );

  test("is said of a file check's own file too, and of nothing that it does not read", async () => {
    const gate = "checks:\n  - name: plan\n    file: docs/plan.md\n    headings: [Scope]\n";
    const {
      handIn: submission,
      says,
      project,
    } = await openChecked("action", [gate], {
      prepare: ({ write }) => write("docs/plan.md", "# Scope\n"),
    });
    expect(isDone(await submission({}))).toBe(true);
    project.write("docs/other.md", "# Other\n");
    expect(await says("status")).not.toContain("stale");
    project.write("docs/plan.md", "# Scope\n\nMore.\n");
    expect(await says("status")).toContain("shape.gather_context: plan stale: docs/plan.md has changed since");
  });

  test("is none because of what another check reports", async () => {
    const other = `  - name: others
    run: [node, -e, 'require("fs").writeFileSync("others.xml", "<testsuites><testcase name=\\"a\\" t=\\"" + process.hrtime() + "\\"/></testsuites>")']
    report: {format: junit, path: others.xml}
`;
    const { handIn: submission, says, project } = await openChecked("action", [`${testsGate()}${other}`]);
    expect(isDone(await submission({ summary: "done" }))).toBe(true);
    expect(await says("status")).not.toContain("stale");
    expect(project.read(".waymark/journal/story_bot.jsonl").match(/"type":"checked"/g)).toHaveLength(2);
  });
});

describe("fresh", () => {
  test.each(kinds)("demands an earlier proof anew on the files as they are now (%s)", async (kind) => {
    const {
      handIn: submission,
      says,
      project,
    } = await openChecked(kind, [
      testsGate(),
      "evidence_schema:\n  summary: {type: string, required: true, description: what was done}\nfresh: [tests]\n",
    ]);
    expect(isDone(await submission({ summary: "tested" }))).toBe(true);
    project.write("plan.json", { passed: 2, failed: 1 });
    const broken = await submission({ summary: "done" });
    expect(isDone(broken)).toBe(false);
    expect(broken.checks).toMatchObject([{ name: "tests", status: "failed" }]);
    project.write("plan.json", { passed: 4 });
    const mended = await submission({ summary: "done" });
    expect(isDone(mended)).toBe(true);
    expect(mended.checks).toMatchObject([{ name: "tests", status: "passed", summary: "4 of 4 tests passed" }]);
    const step = kind === "action" ? "decide_planning_criteria" : "2";
    const rows: { event?: string; action?: string; status?: string }[] = JSON.parse(await says("log", "--json"));
    const checked = rows.filter(({ event, action }) => event === "checked" && action?.endsWith(`.${step}`));
    expect(checked.map(({ status }) => status)).toEqual(["failed", "passed"]);
  });

  test("runs the check itself where nothing has changed", async () => {
    const { handIn: submission, says } = await openChecked("phase", [testsGate(), "fresh: [tests]\n"]);
    await submission({ summary: "tested" });
    expect(isDone(await submission({}))).toBe(true);
    const rows: { event?: string }[] = JSON.parse(await says("log", "--json"));
    expect(rows.filter(({ event }) => event === "checked")).toHaveLength(2);
  });
});
