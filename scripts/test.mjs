import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { home, install, requireNode, run, runTool, startTool } from "./set-up.mjs";

requireNode();
install();
install(join(home, "test/hosts"), "the real hosts that the tests drive");

const step = (title, work) => {
  console.log(`\n— ${title}`);
  work();
};
step("format and lint", () => runTool("biome", ["check", "--error-on-warnings", "."]));
// The types take the longest: they are checked while the other core does the rest.
const types = startTool("tsc", ["-p", "."]);
step("import rules", () => run(process.execPath, [join(home, "scripts/import-rules.mjs")]));
step("build", () => run(process.execPath, [join(home, "scripts/build.mjs")]));
step("package", () => runTool("publint", ["--strict"]));
step("dead code", () => runTool("knip", []));
console.log("\n— types");
await types;

console.log("\n— tests");
const tests = spawnSync(
  process.execPath,
  [
    join(home, "node_modules/vitest/vitest.mjs"),
    "run",
    "--reporter=dot",
    "--reporter=./scripts/closing-line.mjs",
    ...process.argv.slice(2),
  ],
  { cwd: home, stdio: "inherit" },
);
process.exit(tests.status ?? 1);
