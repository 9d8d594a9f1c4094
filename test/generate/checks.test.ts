import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { openCommand } from "../window.ts";
import { generatePackage, makeBotProject, makeFolder } from "./generated.ts";

const gate = `evidence_schema:
  tests_passed: {type: integer, required: true, description: how many tests passed}
approval: required
checks:
  - name: tests
    run: [node, run-tests.cjs]
    report: [{format: junit, path: out/junit.xml}, {format: lcov, path: out/lcov.info}]
    gives: {tests_passed: passed}
  - name: tap
    run: [node, -e, "console.log('1..1\\\\nok 1 - a test')"]
`;

const runner = `const fs = require("node:fs");
fs.mkdirSync("out", { recursive: true });
fs.writeFileSync("out/junit.xml", '<testsuite><testcase name="a"/><testcase name="b"/></testsuite>');
fs.writeFileSync("out/lcov.info", "SF:a.js\\nDA:1,1\\nend_of_record\\n");
`;

test("a generated package carries what checks need, and runs them where it is installed", async () => {
  const project = makeBotProject();
  project.write(".waymark/base_actions/gather_context/gate-definition.yaml", gate);
  const out = join(makeFolder(), "package");
  await generatePackage(project, out);
  const [elsewhere, area] = [join(makeFolder(), "node_modules", "story-bot-mcp"), makeFolder()];
  mkdirSync(elsewhere, { recursive: true });
  cpSync(out, elsewhere, { recursive: true });
  rmSync(out, { recursive: true });
  for (const program of ["supervise.js", "stat-thread.js"])
    expect(existsSync(join(elsewhere, "runtime", program))).toBe(true);

  writeFileSync(join(area, "run-tests.cjs"), runner);
  const definitions = join(elsewhere, "definitions");
  const trusted = await runCli(["trust", "--root", area, "--definitions", definitions, "--yes"]);
  expect(trusted.code).toBe(0);
  const window = await openCommand([join(elsewhere, "server.js"), "--root", area], { cwd: area });
  await window.call("shape_bot");
  let done = await window.call("complete_action", { evidence: { tests_passed: 3 }, confirmation: "yes" });
  while (done.status === "checking")
    done = await window.call("complete_action", { evidence: { tests_passed: 3 }, confirmation: "yes" });
  expect(done.missing_evidence).toEqual(["tests_passed (claimed 3, found 2)"]);
  expect(readFileSync(join(area, ".waymark/journal/story_bot.jsonl"), "utf8")).toMatch(
    /"contained":"(namespace|marker|group)"/,
  );
});
