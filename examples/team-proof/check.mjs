// Starts a team server with a process that is brought in from a draft, and walks it through the bridge: `node examples/team-proof/check.mjs`.
import { match, strictEqual } from "node:assert";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const waymark = fileURLToPath(new URL("../../dist/waymark.js", import.meta.url));
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const top = mkdtempSync(join(tmpdir(), "waymark-team-proof-"));
const [server, checkout] = ["server", "checkout"].map((name) => join(top, name));
/** The operator's machine and Anna's: each has its own state folder. */
const operator = { ...process.env, HOME: join(top, "operator"), XDG_STATE_HOME: join(top, "operator/state") };
const anna = { ...process.env, HOME: join(top, "anna"), XDG_STATE_HOME: join(top, "anna/state") };

const serving = [];
try {
  await run();
} finally {
  for (const child of serving) {
    child.kill();
    await once(child, "exit");
  }
  rmSync(top, { recursive: true, force: true });
}

async function run() {
  for (const folder of [server, operator.HOME, anna.HOME]) mkdirSync(folder, { recursive: true });
  cpSync(here("drafts"), join(server, "drafts"), { recursive: true });
  cpSync(here("checkout"), checkout, { recursive: true });

  console.log("The operator brings the team's page in, makes a token for Anna, and starts the server.");
  match(command(["adopt", "drafts/change.md", "--yes"], server, operator), /tests_passed/);
  const { token } = JSON.parse(command(["token", "add", "anna", "--role", "agent", "--json"], server, operator));
  const url = await startServer();

  console.log("Anna's assistant starts the bridge in her checkout and walks the process.");
  const hers = { ...anna, WAYMARK_TOKEN: token };
  const client = new Client({ name: "scripted-assistant", version: "1.0.0" }, { capabilities: {} });
  const args = [waymark, "serve", "--remote", url];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, cwd: checkout, env: hers, stderr: "ignore" }),
  );
  const call = async (name, given) => (await client.callTool({ name, arguments: given })).structuredContent;
  const { session_id } = await call("start_workflow", { workflow_type: "change", target_file: "src/greet.js" });
  const complete = (phase, given) => call("complete_phase", { session_id, phase, ...given });
  const goal = "A guest without a name is greeted, too.";
  strictEqual((await complete(1, { evidence: { goal, risks: [] } })).checkpoint_passed, true);

  console.log("It claims that 2 tests pass. Nobody has trusted the command on Anna's machine, so nothing runs.");
  const claim = { evidence: { tests_passed: 2 } };
  match(JSON.stringify(await until(() => complete(2, claim))), /check_untrusted/);

  console.log("Anna looks at the command and trusts it. The bridge runs it in her checkout: 1 passes.");
  command(["trust", "--yes"], checkout, hers);
  match(JSON.stringify(await until(() => complete(2, claim))), /tests_passed \(claimed 2, found 1\)/);

  console.log("The assistant fixes the code, and the phase passes.");
  const source = join(checkout, "src/greet.js");
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of the file
  writeFileSync(source, readFileSync(source, "utf8").replace("evening, ${name}", 'evening${name ? `, ${name}` : ""}'));
  strictEqual((await until(() => complete(2, { evidence: {} }))).checkpoint_passed, true);

  console.log("A colleague approves. The server's record proves what ran where.");
  const done = await complete(3, { evidence: { summary: "One line in greet.js." }, confirmation: "Read. Approved." });
  strictEqual(done.workflow_complete, true);
  await client.close();
  match(command(["verify", "--require", "change"], server, operator), /tests passed, local/);
  console.log("The team's process holds.");
}

/** Starts the server and resolves with its address. */
async function startServer() {
  const child = spawn(process.execPath, [waymark, "serve", "--http", "127.0.0.1:0"], {
    cwd: server,
    env: operator,
    stdio: ["ignore", "pipe", "ignore"],
  });
  serving.push(child);
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return JSON.parse(line).listening;
}

/** Sends the same call again until its checks have ended. */
async function until(call) {
  for (;;) {
    const reply = await call();
    if (reply.status !== "checking") return reply;
  }
}

function command(args, cwd, env) {
  return execFileSync(process.execPath, [waymark, ...args], { cwd, env, encoding: "utf8" });
}
