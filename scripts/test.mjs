import { join } from "node:path";
import { journeysOverHttp } from "./doors.mjs";
import { home, install, requireNode, run, runTool, startTool } from "./set-up.mjs";

/** Proves it all: `npm test` with samples of what is long, `npm run test:all` with the whole of it. */
const isWhole = process.argv.includes("--all");
const asked = process.argv.slice(2).filter((arg) => arg !== "--all");

requireNode();
install();
install(join(home, "test/hosts"), "the real hosts that the tests drive");
console.log("\n— format and lint");
runTool("biome", ["check", "--error-on-warnings", "."]);
console.log("\n— build");
run(process.execPath, [join(home, "scripts/build.mjs"), "--no-check"]);

console.log("\n— tests, and beside them types, import rules, package and dead code");
const looks = lookAround();
const tests = await startTool("vitest", ["run", "--reporter=dot", "--reporter=./scripts/closing-line.mjs", ...asked], {
  env: isWhole ? { ...process.env, WAYMARK_TESTS: "all" } : process.env,
});
/** The same journeys through other doors, where nothing else was asked for. */
const overHttp = asked.length > 0 ? [] : journeysOverHttp(isWhole);
let doors = 0;
for (const { door, files } of overHttp) {
  console.log(`\n— ${isWhole ? "the" : "central"} journeys again, through the door ${door}`);
  const env = { ...process.env, WAYMARK_DOOR: door, ...(isWhole ? { WAYMARK_TESTS: "all" } : {}) };
  doors ||= (await startTool("vitest", ["run", "--reporter=dot", ...files], { env })).status;
}
const wrong = (await looks).filter(({ status }) => status !== 0);
for (const { title, said } of wrong) console.error(`\n— ${title}: failed\n${said}`);
if (wrong.length === 0) console.log("types, import rules, package, dead code: nothing found");
process.exit(tests.status || doors || wrong[0]?.status || 0);

/** What needs no test runner, one after the other: that keeps a core busy while tests wait for a disk or a process. */
async function lookAround() {
  const looks = [];
  for (const [title, tool, args] of [
    ["types", "tsc", ["-p", "."]],
    ["types of the page", "tsc", ["-p", "src/dashboard"]],
    ["import rules", join(home, "scripts/import-rules.mjs"), []],
    ["package", "publint", ["--strict"]],
    ["dead code", "knip", []],
  ])
    looks.push({ title, ...(await startTool(tool, args, { isQuiet: true })) });
  return looks;
}
