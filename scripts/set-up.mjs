import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { patchPackages } from "./patch-packages.mjs";

/** The project's own folder. */
export const home = fileURLToPath(new URL("..", import.meta.url));

/** Installs what the lock file names, unless that has been done already, and says so while it takes time. */
export function install(folder = home, what = "the project's packages") {
  if (!isInstalled(folder)) {
    console.log(`Installing ${what} (once)…`);
    run("npm", npmInstall, folder);
  }
  finishInstall(folder);
}

/** Installs the same beside other work; the promise ends when it is done, and a failure ends this process. */
export async function startInstall(folder, what) {
  if (!isInstalled(folder)) {
    console.log(`Installing ${what} (once)…`);
    const child = spawn("npm", npmInstall, { cwd: folder, stdio: "inherit", shell: process.platform === "win32" });
    const status = await new Promise((done) => child.once("error", () => done(1)).once("close", done));
    if (status !== 0) process.exit(status ?? 1);
  }
  finishInstall(folder);
}

// Not `npm ci`: a registry that lacks a package for some other platform would make it fail over the lock file.
const npmInstall = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"];

const markerOf = (folder) => join(folder, "node_modules", ".set-up");

function lockOf(folder) {
  return createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
}

function isInstalled(folder) {
  return existsSync(markerOf(folder)) && readFileSync(markerOf(folder), "utf8") === lockOf(folder);
}

function finishInstall(folder) {
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  patchPackages(folder);
  writeFileSync(markerOf(folder), lockOf(folder));
}

/** Runs a command to its end; a failure ends this process with the same code. */
export function run(command, args, cwd = home, env = process.env) {
  const isWindows = process.platform === "win32";
  const { status, error } = spawnSync(command, args, { cwd, env, stdio: "inherit", shell: isWindows });
  if (error) console.error(`${command} could not be started: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/** Runs a tool that the project installed. */
export function runTool(name, args) {
  run(process.execPath, [join(home, "node_modules", toolPaths[name] ?? name), ...args]);
}

/** The same beside other work, by another Node where one is named; the promise gives how it ended, and what it said where that was kept instead of shown. */
export function startTool(name, args, { env = process.env, isQuiet = false, node = process.execPath } = {}) {
  const child = spawn(node, [resolve(home, "node_modules", toolPaths[name] ?? name), ...args], {
    cwd: home,
    env,
    stdio: isQuiet ? ["ignore", "pipe", "pipe"] : "inherit",
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (said += chunk));
  return new Promise((done) => {
    child.once("close", (status) => done({ status: status ?? 1, said }));
  });
}

const toolPaths = {
  biome: "@biomejs/biome/bin/biome",
  tsc: "typescript-7/bin/tsc", // typescript itself stays at 6 for its API, which 7 does not have
  knip: "knip/bin/knip.js",
  publint: "publint/src/cli.js",
  vitest: "vitest/vitest.mjs",
};

/** Ends with a clear word on a Node that is too old, before anything else fails on it. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Waymark needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}
