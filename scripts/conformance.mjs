import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { home, install, requireNode, startTool } from "./set-up.mjs";

/**
 * `npm run conformance`: runs the protocol's official suite against our HTTP server, in both eras. Scenarios that suit any server
 * run against Waymark itself; those that need the suite's own tools, prompts and resources run against the same stack with these.
 */
requireNode();
install();
const suite = join(home, "test/conformance/suite");
install(suite, "the conformance suite, and a Node that runs it");
const { parse } = await import("yaml");
const { serveFixtures, serveWaymark } = await bundled("test/conformance/serve.ts");

const ofAnyServer = [
  ...["server-initialize", "server-session-lifecycle", "ping", "tools-list", "prompts-list", "resources-list"],
  ...["server-sse-multiple-streams", "dns-rebinding-protection", "caching", "sep-2164-resource-not-found"],
  "http-header-validation",
];
const root = mkdtempSync(join(tmpdir(), "waymark-conformance-"));
cpSync(join(home, "examples/demo/project"), root, { recursive: true });
process.env.XDG_STATE_HOME = join(root, "state");
const rows = [];
for (const [server, serve, isMeant] of [
  ["Waymark", serveWaymark, (scenario) => ofAnyServer.includes(scenario)],
  ["its HTTP stack", serveFixtures, () => true],
]) {
  const { url, close } = await serve(root);
  for (const revision of ["2025-11-25", "2026-07-28"])
    rows.push({ server, revision, ...judge(await ask(url, revision), scoredBy(revision), isMeant) });
  await close();
}
rmSync(root, { recursive: true, force: true });
print(rows);

/** Has the suite ask all that a revision requires: the checks of each scenario. */
async function ask(url, revision) {
  const results = mkdtempSync(join(root, "results-"));
  const entry = join(suite, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
  const args = ["server", "--url", url, "--requirements", revision, "--output-dir", results];
  const { said } = await startTool(entry, args, { isQuiet: true, node: nodeOfSuite() });
  const scenarios = new Map();
  for (const name of readdirSync(results)) {
    const [, scenario = name] = /^server-(.*)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name) ?? [];
    scenarios.set(scenario, JSON.parse(readFileSync(join(results, name, "checks.json"), "utf8")));
  }
  if (scenarios.size === 0) throw new Error(`The suite did not run: ${said}`);
  return scenarios;
}

/** The suite needs Node 22; ours may be 20. */
function nodeOfSuite() {
  const [major = 0] = process.versions.node.split(".").map(Number);
  return major >= 22 ? process.execPath : join(suite, "node_modules/node/bin/node");
}

/** The scenarios that count for a revision, as the suite has them written down. */
function scoredBy(revision) {
  const file = join(suite, `node_modules/@modelcontextprotocol/conformance/requirements/${revision}.yaml`);
  return parse(readFileSync(file, "utf8")).server;
}

/** Counts checks; a scenario that counts and was not run has failed. */
function judge(scenarios, scored, isMeant) {
  const missing = scored.filter((name) => isMeant(name) && !scenarios.has(name)).map((name) => `${name}: was not run`);
  const counts = { scenarios: 0, passed: 0, failed: missing, unscored: 0, unscoredFailed: [] };
  for (const [name, checks] of [...scenarios].filter(([name]) => isMeant(name))) {
    const passed = checks.filter(({ status }) => status === "SUCCESS").length;
    const failed = checks
      .filter(({ status }) => status === "FAILURE")
      .map(({ id, errorMessage }) => `${name}: ${id}: ${errorMessage}`);
    if (scored.includes(name)) {
      counts.scenarios += 1;
      counts.passed += passed;
      counts.failed.push(...failed);
    } else {
      counts.unscored += passed;
      counts.unscoredFailed.push(...failed);
    }
  }
  return counts;
}

function print(all) {
  const line = (names, numbers) =>
    console.log(names.map((one) => one.padEnd(16)).join("") + numbers.map((one) => `${one}`.padStart(12)).join(""));
  line(["server", "revision"], ["scenarios", "passed", "failed", "unscored ✓", "unscored ✗"]);
  for (const { server, revision, scenarios, passed, failed, unscored, unscoredFailed } of all)
    line([server, revision], [scenarios, passed, failed.length, unscored, unscoredFailed.length]);
  const without = new Set(all.flatMap(({ unscoredFailed }) => unscoredFailed.map((what) => what.split(":")[0])));
  if (without.size > 0) console.log(`Not scored, and not there: ${[...without].join(", ")}.`);
  const failures = all.flatMap(({ server, revision, failed }) =>
    failed.map((what) => `${server}, ${revision}, ${what}`),
  );
  for (const what of failures) console.log(`✗ ${what}`);
  const isSound = failures.length === 0 && all.every(({ passed }) => passed > 0);
  console.log(isSound ? "✓ every check that counts passes, in both revisions" : "✗ it does not conform");
  process.exit(isSound ? 0 : 1);
}

/** Bundles one of our modules for Node; packages stay external. */
async function bundled(entry) {
  const { build } = await import("esbuild");
  const outfile = join(home, "node_modules/.cache/conformance.mjs");
  const how = { bundle: true, packages: "external", platform: "node", format: "esm", logLevel: "warning" };
  await build({ ...how, absWorkingDir: home, entryPoints: [entry], outfile });
  return import(pathToFileURL(outfile).href);
}
