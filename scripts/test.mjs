import { join } from "node:path";
import { journeysOverHttp } from "./doors.mjs";
import { home, install, requireNode, run, runTool, startInstall, startTool } from "./set-up.mjs";

/**
 * Runs every check: `npm test` with samples of what is long, `npm run test:all` with the whole of it. `npm run test:quick` is for the
 * everyday loop: format, types, import rules and unit tests, without a build.
 */
const isWhole = process.argv.includes("--all");
const isQuick = process.argv.includes("--quick");
const asked = process.argv.slice(2).filter((arg) => arg !== "--all" && arg !== "--quick");

requireNode();
const hosts = isQuick ? undefined : startInstall(join(home, "test/hosts"), "the real hosts that the tests drive");
install();
console.log("\n— format and lint");
runTool("biome", ["check", "--error-on-warnings", "."]);
if (isQuick) await quick();
console.log("\n— build");
run(process.execPath, [join(home, "scripts/build.mjs"), "--no-check"]);
await hosts;

console.log("\n— tests, and beside them types, import rules, package and dead code");
const looks = lookAround();
const doors = journeysAgain();
const tests = await startTool("vitest", ["run", "--reporter=dot", "--reporter=./scripts/closing-line.mjs", ...asked], {
  env: isWhole ? { ...process.env, WAYMARK_TESTS: "all" } : process.env,
});
const wrong = (await looks).filter(({ status }) => status !== 0);
for (const { title, said } of wrong) console.error(`\n— ${title}: failed\n${said}`);
if (wrong.length === 0) console.log("types, import rules, package, dead code: nothing found");
for (const { title, said } of await doors) console.log(`\n— ${title}\n${said}`);
process.exit(tests.status || (await doors).find(({ status }) => status !== 0)?.status || wrong[0]?.status || 0);

/** Ends the process after the checks that need no build. */
async function quick() {
  console.log("\n— types");
  runTool("tsc", ["-p", "."]);
  runTool("tsc", ["-p", "src/dashboard/page"]);
  console.log("\n— import rules");
  run(process.execPath, [join(home, "scripts/import-rules.mjs")]);
  console.log("\n— unit tests");
  const units = await startTool("vitest", [
    "run",
    "--reporter=dot",
    ...(asked.length > 0 ? asked : ["src", "test/pins"]),
  ]);
  process.exit(units.status);
}

/**
 * The same journeys over HTTP, on files and on PostgreSQL, while the tests wait: in the whole only, and not where something else was
 * asked for. What HTTP and PostgreSQL add is tested by `test/team`.
 */
async function journeysAgain() {
  const ended = [];
  for (const { door, files } of isWhole && asked.length === 0 ? journeysOverHttp() : []) {
    const env = { ...process.env, WAYMARK_DOOR: door, WAYMARK_TESTS: "all" };
    const args = ["run", "--reporter=dot", "--maxWorkers=1", ...files];
    ended.push({ title: `the journeys again, ${door}`, ...(await startTool("vitest", args, { env, isQuiet: true })) });
  }
  return ended;
}

/** The checks that need no test runner, one after the other: they keep a core busy while tests wait for a disk or a process. */
async function lookAround() {
  const looks = [];
  for (const [title, tool, args] of [
    ["types", "tsc", ["-p", "."]],
    ["types of the page", "tsc", ["-p", "src/dashboard/page"]],
    ["import rules", join(home, "scripts/import-rules.mjs"), []],
    ["package", "publint", ["--strict"]],
    ["dead code", "knip", []],
  ])
    looks.push({ title, ...(await startTool(tool, args, { isQuiet: true })) });
  return looks;
}
