import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { startPostgres } from "../scripts/postgres-server.mjs";
import { median, report } from "./wire.mjs";

/**
 * Measures what a check costs through the bridge: the same completion, whose command runs once for each change of a file, over stdio
 * and through a team server on PostgreSQL, turn by turn. Both share the machine's load, so only their ratio counts.
 */
const isSmall = process.argv.includes("--small");
const [warmUp, rounds] = isSmall ? [2, 8] : [5, 40];
const budget = 1.3;
const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const waymark = file("../dist/waymark.js");
const home = mkdtempSync(join(tmpdir(), "waymark-bench-"));
const env = {
  ...process.env,
  XDG_STATE_HOME: join(home, "state"),
  XDG_CONFIG_HOME: join(home, "config"),
  WAYMARK_STORE: "",
};
const cli = (args, more = {}) =>
  execFileSync(process.execPath, [waymark, ...args], { env: { ...env, ...more }, encoding: "utf8" });

const gate = `evidence_schema:
  tests_passed: {type: integer, required: true, description: how many tests passed}
checks:
  - name: tests
    run: [node, --test, --test-reporter=junit, --test-reporter-destination=reports/junit.xml]
    report: {format: junit, path: reports/junit.xml}
    gives: {tests_passed: passed}
`;

/** A work tree with a few files and a test file that takes as long as a small suite. */
function workTree(name, hasDefinitions) {
  const root = join(home, name);
  mkdirSync(join(root, "src"), { recursive: true });
  mkdirSync(join(root, "reports"));
  if (hasDefinitions) definitions(root);
  for (let number = 0; number < 200; number++)
    writeFileSync(join(root, "src", `file-${number}.js`), `export default ${number};\n`);
  writeFileSync(
    join(root, "a.test.mjs"),
    'import { test } from "node:test";\ntest("one", () => new Promise((done) => setTimeout(done, 200)));\n',
  );
  writeFileSync(join(root, ".gitignore"), "reports/\n.waymark/\nworkflow_state.json\nactivity_log.json\n");
  for (const words of [
    ["init", "-q"],
    ["add", "-A"],
    ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "all"],
  ])
    execFileSync("git", words, { cwd: root });
  return root;
}

function definitions(root) {
  const write = (path, text) => {
    mkdirSync(dirname(join(root, ".waymark", path)), { recursive: true });
    writeFileSync(join(root, ".waymark", path), text);
  };
  const action = { name: "prove", workflow: true, order: 1, next_action: null };
  write("base_actions/prove/action_config.json", JSON.stringify(action));
  write("base_actions/prove/instructions.md", "Prove it.");
  write("base_actions/prove/gate-definition.yaml", gate);
  write("bots/story_bot/bot_config.json", JSON.stringify({ name: "story_bot", behaviors: ["shape"] }));
}

async function assistant(args) {
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [waymark, "serve", ...args], env, stderr: "ignore" }),
  );
  return client;
}

const said = async (client, name, args = {}) => (await client.callTool({ name, arguments: args })).structuredContent;

const local = workTree("local", true);
const far = workTree("far", false);
const served = join(home, "server");
mkdirSync(served);
definitions(served);
const postgres = await startPostgres({ settings: { fsync: "on" } });
await postgres.start();
const server = spawn(
  process.execPath,
  [waymark, "serve", "--http", "127.0.0.1:0", "--root", served, "--store", postgres.url],
  { env, stdio: ["ignore", "pipe", process.env.SHOW ? "inherit" : "ignore"] },
);
const url = JSON.parse(
  await new Promise((done) => server.stdout.once("data", (chunk) => done(String(chunk)))),
).listening;
const ways = {
  local: { root: local, client: await assistant(["--root", local]) },
  bridge: { root: far, client: await assistant(["--remote", url, "--root", far]) },
};
const submitted = { outputs: { answer: "the same" } };
for (const { root, client } of Object.values(ways)) {
  await said(client, "shape_bot");
  await said(client, "complete_action", submitted);
  cli(["trust", "--root", root, "--yes"]);
}
const times = { local: [], bridge: [] };
for (let round = 0; round < warmUp + rounds; round++)
  for (const [name, { root, client }] of Object.entries(ways)) {
    writeFileSync(join(root, "src/file-0.js"), `export default ${round};\n`);
    const from = performance.now();
    const { status, checks } = await said(client, "complete_action", submitted);
    const took = performance.now() - from;
    if (status !== "awaiting_human" || checks?.[0]?.status !== "passed")
      throw new Error(`${name}: ${status} ${JSON.stringify(checks)}`);
    if (round >= warmUp) times[name].push(took);
  }
const [here, there] = [median(times.local), median(times.bridge)];
report(
  "a check through the bridge",
  there / here,
  budget,
  `${there.toFixed(0)} ms against ${here.toFixed(0)} ms local`,
);
for (const { client } of Object.values(ways)) await client.close();
server.kill();
await postgres.dispose();
rmSync(home, { recursive: true, force: true });
