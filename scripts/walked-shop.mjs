import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { bundled } from "../bench/wire.mjs";
import { home, run } from "./set-up.mjs";

/** A project in which assistants have been at work for days: walked over MCP by the built server, with its clock moved on between the calls. */
export async function walkedTeaShop(browser, scratch) {
  const root = join(scratch, "tea-shop");
  for (const template of ["test-generation", "story-bot"])
    cpSync(join(home, "templates", template), join(root, ".waymark"), { recursive: true });
  const names = [
    "imports",
    "exports",
    "reports",
    "webhooks",
    "currency",
    "menu",
    "orders",
    "tables",
    "prices",
    "taxes",
    "stock",
  ];
  plantFiles(root, names);
  plantRelease(root);
  run(process.execPath, [join(home, "dist/waymark.js"), "trust", "--yes", "--root", root]);
  await enrol(browser, root, scratch);
  const claude = await assistantIn(root, "claude-code");
  const codex = await assistantIn(root, "codex");
  const walks = [
    { name: "prices", from: 4000, passed: 8 },
    { name: "orders", from: 3300, passed: 8, refused: [4, 7] },
    { name: "taxes", from: 2800, passed: 8, refused: [5] },
    { name: "stock", from: 1900, passed: 2 },
    { name: "tables", from: 1500, passed: 4, refused: [2] },
    { name: "webhooks", from: 190, passed: 6, refused: [5], last: stuck },
    { name: "imports", from: 260, passed: 4, refused: [4], last: waits },
    { name: "exports", from: 225, passed: 4, last: waits },
    { name: "reports", from: 195, passed: 4, refused: [2], last: waits },
    { name: "currency", from: 40, passed: 3 },
    { name: "menu", from: 15, passed: 1 },
  ];
  for (const [at, one] of walks.entries()) await session(at % 3 === 0 ? codex : claude, one);
  await storyBot(claude);
  await release(codex, root);
  await claude.close();
  await codex.close();
  return root;
}

const minute = 60_000;
const now = Date.now();
const clockAt = (ago) => writeFileSync(process.env.WAYMARK_CLOCK ?? "", String(Math.round(now - ago * minute)));

/** An assistant at work in a project. */
async function assistantIn(root, name) {
  clockAt(0);
  const clock = join(home, "scripts/moved-clock.mjs");
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ["--import", clock, join(home, "dist/waymark.js"), "serve", "--root", root],
    env: { ...getDefaultEnvironment(), ...process.env },
    stderr: "inherit",
  });
  const client = new Client({ name, version: "2.1.4" }, { capabilities: {} });
  await client.connect(transport);
  /** Calls a tool so many minutes ago. */
  const call = async (ago, tool, args = {}) => {
    clockAt(ago);
    const { structuredContent } = await client.callTool({ name: tool, arguments: args });
    return structuredContent;
  };
  return { call, close: () => client.close() };
}

/** The example evidence of each phase of test-generation. */
const examples = Object.fromEntries(
  [1, 2, 3, 4, 5, 6, 7, 8].map((phase) => {
    const file = `templates/test-generation/workflows/test-generation/phases/${phase}/phase.md`;
    const [, json = ""] = /```json\n(.*?)```/s.exec(readFileSync(join(home, file), "utf8")) ?? [];
    return [phase, JSON.parse(json)];
  }),
);

function plantFiles(root, names) {
  for (const name of names)
    for (const file of [`src/${name}.ts`, `test/${name}.test.ts`]) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), "");
    }
}

/** A session of test-generation: phases passed, some after a refusal, begun so many minutes ago; then what is still to happen. */
async function session({ call }, { name, from, passed, refused = [], last }) {
  let ago = from;
  const later = (minutes) => {
    ago = Math.max(1, ago - minutes);
    return ago;
  };
  const evidence = (phase, change = {}) => ({
    ...JSON.parse(JSON.stringify(examples[phase]).replaceAll("prices", name)),
    ...change,
  });
  const { session_id } = await call(ago, "start_workflow", {
    workflow_type: "test-generation",
    target_file: `src/${name}.ts`,
  });
  const submit = async (phase, change = {}, more = {}) =>
    call(later(3 + ((phase * 7 + name.length) % 9)), "complete_phase", {
      session_id,
      phase,
      evidence: evidence(phase, change),
      ...more,
    });
  for (let phase = 1; phase <= passed; phase++) {
    if (refused.includes(phase)) await submit(phase, wrong[phase]);
    const approval = phase === 5 ? { confirmation: "Yes, but test zero too." } : {};
    const done = await submit(phase, {}, approval);
    if (done.checkpoint_passed !== true) throw new Error(JSON.stringify(done));
  }
  await last?.(submit);
}

/** An assistant's mistakes, by phase. */
const wrong = {
  2: { logger_call_count: 4 },
  4: { call_site_count: 1 },
  5: { coverage_goal: 20 },
  7: { tests_passed: 5, tests_failed: 1, exit_code: 1 },
};

const waits = async (submit) => {
  await submit(5, wrong[5]);
  await submit(5);
};
const stuck = async (submit) => {
  for (let times = 0; times < 3; times++) await submit(7, wrong[7]);
};

/** The story bot of the tea shop, as its example walks it, up to the fourth behavior. */
async function storyBot({ call }) {
  const shop = join(home, "examples/tea-shop");
  let ago = 560;
  const behaviors = ["shape", "prioritization", "discovery", "exploration"];
  for (const [at, behavior] of behaviors.entries())
    for (const [number, file] of readdirSync(join(shop, "walk", behavior))
      .sort()
      .entries()) {
      if (at === 3 && number > 2) return;
      const { content, ...rest } = JSON.parse(readFileSync(join(shop, "walk", behavior, file), "utf8"));
      const files = content?.map(({ path, file: from }) => ({ path, text: readFileSync(join(shop, from), "utf8") }));
      await call(ago, `${behavior}_bot`);
      const submission = { ...rest, ...(files === undefined ? {} : { content: files }) };
      ago -= 11 + ((at + number) % 3) * 5;
      await call(ago, "complete_action", submission);
      ago -= number % 2 === 0 ? 2 : 9;
      await call(ago, "complete_action", { ...submission, confirmation: "Agreed, go on." });
      ago -= 3;
    }
}

/** A workflow whose second phase waits for dana's own key, after Waymark has run the tests itself. */
function plantRelease(root) {
  const write = (file, text) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const folder = ".waymark/workflows/release";
  write(
    `${folder}/metadata.json`,
    JSON.stringify({ name: "release", description: "From a change to a release", total_phases: 3 }),
  );
  write(`${folder}/phases/1/phase.md`, "# Phase 1: What changed\n\nList what changes for users.\n");
  write(`${folder}/phases/1/gate-definition.yaml`, schema({ changes: "list" }));
  write(`${folder}/phases/2/phase.md`, "# Phase 2: Proof\n\nSubmit the changelog; Waymark runs the tests.\n");
  const check =
    "checks:\n  - name: tests\n    run: [node, --test, --test-reporter=junit, --test-reporter-destination=junit.xml, test/money.test.mjs]\n    report: {format: junit, path: junit.xml}\n    gives: {tests_passed: passed, tests_total: tests}\n    reads: [src/money.mjs]\n";
  const fields = schema({
    tests_passed: "integer",
    tests_total: "integer",
    breaking_changes: "integer",
    way_back: "string",
    reviewed_by: "string",
  });
  write(`${folder}/phases/2/gate-definition.yaml`, `approval: {level: proven, by: [dana]}\n${fields}${check}`);
  write(`${folder}/phases/3/phase.md`, "# Phase 3: Out\n\nPublish it.\n");
  write(`${folder}/phases/3/gate-definition.yaml`, schema({ published: "string" }));
  const prices = { 0: 0, 1: 100, 0.01: 1, "0.10": 10, "1.50": 150, 1.5: 150, 2.05: 205, 19.99: 1999 };
  const cases = Object.entries({ ...prices, 0.29: 29, 1000: 100_000, 1.005: 100, "1,50": 150 });
  const tests = cases
    .map(([text, cents]) => `test("reads ${text} as ${cents} cents", () => assert.equal(cents("${text}"), ${cents}));`)
    .join("\n");
  const head = 'import assert from "node:assert";\nimport { test } from "node:test";\n';
  write("src/money.mjs", "export const cents = (text) => Math.round(Number(text) * 100);\n");
  write("test/money.test.mjs", `${head}import { cents } from "../src/money.mjs";\n${tests}\n`);
  write(
    "CHANGELOG.md",
    "# Changelog\n\n## 1.3.0\n\n- Orders can be split between two tables.\n- Stock is counted at night.\n",
  );
}

function schema(fields) {
  const lines = Object.entries(fields).map(
    ([name, type]) => `  ${name}: {type: ${type}, required: true, description: ${name.replaceAll("_", " ")}}\n`,
  );
  return `evidence_schema:\n${lines.join("")}`;
}

/** The release, up to where it waits. */
async function release({ call }, root) {
  const { session_id } = await call(312, "start_workflow", { workflow_type: "release", target_file: "CHANGELOG.md" });
  const changes = ["prices are kept in cents", "reports can be exported"];
  await call(306, "complete_phase", { session_id, phase: 1, evidence: { changes } });
  const text = readFileSync(join(root, "CHANGELOG.md"), "utf8").replace(
    "## 1.3.0",
    "## 1.4.0\n\n- Prices are kept in cents; nothing is rounded before the bill.\n- Reports can be exported as CSV.\n\n## 1.3.0",
  );
  const content = [{ path: "CHANGELOG.md", text }];
  const evidence = { breaking_changes: 0, way_back: "release 1.3.0 again: no data changes", reviewed_by: "lee" };
  // It says that all twelve tests pass; Waymark finds eleven. Then it mends the code.
  const claim = { session_id, phase: 2, evidence: { ...evidence, tests_passed: 12 }, content };
  const refused = await call(262, "complete_phase", claim);
  if (!JSON.stringify(refused).includes("claimed 12, found 11")) throw new Error(JSON.stringify(refused));
  writeFileSync(
    join(root, "src/money.mjs"),
    "export const cents = (text) => Math.round(Number(text.replace(',', '.')) * 100);\n",
  );
  const done = await call(248, "complete_phase", claim);
  if (done.error !== "approval_required" && done.error !== "awaiting_human") throw new Error(JSON.stringify(done));
}

/** Makes a passkey for dana, and trusts it as a person would at a terminal. */
async function enrol(browser, root, scratch) {
  const args = [join(home, "dist/waymark.js"), "approve", "--enroll", "dana", "--passkey", "--root", root];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const url = await new Promise((found) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on("line", (line) => {
        const [address] = /http:\/\/localhost:\S+/.exec(line) ?? [];
        if (address !== undefined) found(address);
      });
  });
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("WebAuthn.enable", { enableUI: false });
  const device = { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true };
  const options = { ...device, isUserVerified: true, automaticPresenceSimulation: true };
  await session.send("WebAuthn.addVirtualAuthenticator", { options });
  await page.goto(url);
  await page.getByRole("button", { name: "Create passkey" }).click();
  await new Promise((ended) => child.once("close", ended));
  await context.close();
  const people = await bundled(
    'export { listApprovers, machineTrustedApprovers } from "./src/app/list-approvers.ts";',
    scratch,
  );
  for (const { approver, place } of await people.listApprovers({
    definitions: join(root, ".waymark"),
    areas: [root],
  })) {
    const { name, key } = approver;
    await people
      .machineTrustedApprovers([root])
      .decide({ word: "yes", name, key, place, at: new Date().toISOString() });
  }
}
