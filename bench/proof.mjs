import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { median, report, startServer, timed } from "./wire.mjs";

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "waymark-bench-"));
const small = process.argv.includes("--small");
const waymark = file("../dist/waymark.js");
const git = (cwd, ...args) => execFileSync("git", args, { cwd, stdio: "pipe" });

/** A program of Node's that ends at once, as the command of a check and by itself. */
const nothing = [process.execPath, "-e", "0"];
const ended = ([program, ...args]) =>
  timed(() => new Promise((resolve) => spawn(program, args, { stdio: "ignore" }).once("exit", resolve)));

/** A project in a repository whose first action has a check; it is trusted. */
function projectWith(run) {
  const root = mkdtempSync(join(folder, "project-"));
  cpSync(file("../examples/demo/project"), root, { recursive: true });
  const gate = `checks:\n  - name: works\n    run: ${JSON.stringify(run)}\n`;
  writeFileSync(join(root, ".waymark/base_actions/gather_context/gate-definition.yaml"), gate);
  git(root, "init", "-q");
  execFileSync(process.execPath, [waymark, "trust", "--root", root, "--yes"], { stdio: "pipe" });
  return root;
}

async function serve(root) {
  const server = startServer([waymark, "serve", "--root", root]);
  await server.initialize();
  return server;
}

const statusOf = ({ structuredContent }) => structuredContent.status;

/** Measures a check beyond its command: a completion with it, against the command by itself, turn by turn. */
async function overhead() {
  const root = projectWith(nothing);
  const server = await serve(root);
  const [checked, alone, plain] = [[], [], []];
  for (let round = 0; round < (small ? 6 : 25); round++) {
    const run = `run-${round}`;
    await server.call("shape_bot", { run });
    let status;
    const took = await timed(async () => {
      status = statusOf(await server.call("complete_action", { run, confirmation: "yes", outputs: { answer: "yes" } }));
    });
    if (status !== "completed") throw new Error(`the check answered ${status}`);
    await server.call("shape_bot", { run });
    const without = await timed(() =>
      server.call("complete_action", { run, confirmation: "yes", outputs: { answer: "yes" } }),
    );
    const command = await ended(nothing);
    if (round < 2) continue; // how commands can be contained is found out once
    checked.push(took);
    plain.push(without);
    alone.push(command);
  }
  await server.stop();
  const beyond = checked.map((took, at) => took - alone[at] - plain[at]);
  const allowed = 2 * median(alone) + 60;
  const detail = `${median(beyond).toFixed(0)} ms beyond its command, against 2 × node -e 0 + 60 ms = ${allowed.toFixed(0)} ms`;
  report("a check's overhead", median(beyond) / allowed, 1, detail);
}

/** Looking whether a proof still holds, with nothing changed, against git looking at the same files, turn by turn. */
async function hashing() {
  const bundle = join(folder, "reads.mjs");
  await build({
    stdin: {
      contents: `
        export { fileReader } from "./files/file-reader.ts";
        export { statFilesWith } from "./files/stat-files.ts";
        export { hashReads } from "./commands/command-check.ts";`,
      resolveDir: file("../src/checks"),
    },
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "warning",
    banner: { js: 'import { createRequire as c } from "node:module"; const require = c(import.meta.url);' },
  });
  const { fileReader, statFilesWith, hashReads } = await import(bundle);
  const area = join(folder, "files");
  const count = small ? 1000 : 10_000;
  for (let number = 0; number < count; number++) {
    const at = join(area, `src/part-${number % 100}`);
    if (number < 100) mkdirSync(at, { recursive: true });
    writeFileSync(join(at, `file-${number}.ts`), `export const number = ${number};\n`.repeat(40));
  }
  git(area, "init", "-q");
  git(area, "add", "-A");
  const read = fileReader({ look: statFilesWith(file("../dist/stat-thread.js")) });
  const check = { env: [], reports: [] };
  await new Promise((resolve) => setTimeout(resolve, 2500)); // what was written just now is read each time
  const { reads } = await hashReads(area, check, read);
  const [ours, theirs] = [[], []];
  for (let round = 0; round < 15; round++) {
    theirs.push(await timed(() => git(area, "status", "--porcelain")));
    ours.push(
      await timed(async () => {
        if ((await hashReads(area, check, read)).reads !== reads) throw new Error("nothing has changed");
      }),
    );
  }
  const [own, floor] = [median(ours), median(theirs)];
  const detail = `${own.toFixed(0)} ms against ${floor.toFixed(0)} ms`;
  report(
    `hashing what a proof reads, ${count.toLocaleString("en")} files, warm, against git status`,
    own / floor,
    4,
    detail,
  );
}

/** Calls of other runs while a check of one sleeps, against the same with none asleep: two servers, turn by turn. */
async function others() {
  const places = [];
  for (const isAsleep of [false, true]) {
    const root = projectWith([
      process.execPath,
      "-e",
      "require('fs').writeFileSync('.git/asleep', ''); setTimeout(() => {}, 3e6)",
    ]);
    const gate = join(root, ".waymark/config.json");
    writeFileSync(gate, JSON.stringify({ checks: { wait: "1s" } }));
    const server = await serve(root);
    await server.call("shape_bot", { run: "asleep" });
    if (isAsleep) {
      const { structuredContent } = await server.call("complete_action", {
        run: "asleep",
        confirmation: "yes",
        outputs: { answer: "yes" },
      });
      if (structuredContent.status !== "checking" || !existsSync(join(root, ".git/asleep")))
        throw new Error("it does not sleep");
    }
    places.push({ server, times: [] });
  }
  for (let round = 0; round < (small ? 60 : 400); round++) {
    for (const at of round % 2 === 0 ? places : [...places].reverse()) {
      const run = `run-${round % 20}`;
      const took = await timed(() => at.server.call("discovery_bot", { run }));
      if (round >= 40) at.times.push(took);
    }
  }
  const [awake, asleep] = places.map(({ times }) => median(times));
  await Promise.all(places.map(({ server }) => server.stop()));
  report(
    "a call of another run while a check sleeps",
    asleep / awake,
    1.2,
    `${asleep.toFixed(2)} ms against ${awake.toFixed(2)} ms`,
  );
}

await overhead();
await hashing();
await others();
rmSync(folder, { recursive: true });
