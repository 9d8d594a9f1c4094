import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { parsedObject } from "../kit/json.ts";
import { findCommand } from "./detect-hosts.ts";
import { type Diagnosis, fine, problem, warning } from "./diagnosis.ts";
import type { HostContext } from "./host.ts";
import { installedIn } from "./init/installation.ts";

/** Compares the Node that runs this, and the one that hosts start, with the oldest that the package supports. */
export function diagnoseNode(packageFolder: string, path: string): Diagnosis {
  const { engines } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
  const oldest = String(engines.node).replace(">=", "");
  const fix = `Install Node ${oldest} or newer (https://nodejs.org) and open a new terminal.`;
  if (isOlder(process.versions.node, oldest))
    return problem("node", `Node ${process.versions.node} runs Waymark, which needs ${oldest} or newer.`, fix);
  const found = findCommand("node", path);
  if (found === undefined)
    return problem("node", "The command node is not on the PATH, so assistants cannot start Waymark.", fix);
  const started = versionOf(found);
  if (started === undefined) return problem("node", `${found} does not say its version.`, fix);
  if (isOlder(started, oldest))
    return problem("node", `Assistants start Node ${started} (${found}), but Waymark needs ${oldest} or newer.`, fix);
  return fine("node", `Node ${started} (${oldest} or newer is needed).`);
}

function versionOf(node: string): string | undefined {
  if (realpathSync(node) === realpathSync(process.execPath)) return process.versions.node;
  try {
    const said = execFileSync(node, ["--version"], { encoding: "utf8", timeout: 10_000, stdio: "pipe" });
    return /^v(\d+\.\d+\.\d+)/.exec(said)?.[1];
  } catch {
    return undefined;
  }
}

function isOlder(version: string, oldest: string): boolean {
  const numbers = (text: string): readonly number[] => text.split(".").map(Number);
  const [major = 0, minor = 0] = numbers(version);
  const [leastMajor = 0, leastMinor = 0] = numbers(oldest);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}

/** Compares the project's own copy of Waymark with the one that runs this. */
export function diagnosePackage({ root, start }: HostContext, version: string): Diagnosis {
  const file = installedIn(root);
  if (file === undefined)
    return start.needs === undefined
      ? fine("package", `waymark ${version}, fetched by npx; the project has no copy of its own.`)
      : warning("package", "The project has no copy of Waymark.", start.needs);
  const installed = packageVersion(resolve(root, file));
  if (installed === undefined)
    return problem("package", `${file} is not part of a package named waymark.`, "Run npm install again.");
  return installed === version
    ? fine("package", `waymark ${version} in ${dirname(dirname(file))}.`)
    : warning(
        "package",
        `The project has waymark ${installed}, but waymark ${version} runs this.`,
        "Use the project's copy: run npx waymark in the project.",
      );
}

/** The version of the package named waymark that a built file belongs to. */
function packageVersion(file: string): string | undefined {
  const manifest = join(dirname(dirname(file)), "package.json");
  const { name, version } = (existsSync(manifest) && parsedObject(readFileSync(manifest, "utf8"))) || {};
  return name === "waymark" && typeof version === "string" ? version : undefined;
}

/** Returns why the words of a command line cannot start on this machine; undefined if they can. */
export function startFailure(words: readonly string[], root: string, path: string): string | undefined {
  const [program = "", ...args] = words.map((word) => word.replace(/^\$\{[^}]*\}/, root)); // the project's folder, in each host's form
  const isPath = isAbsolute(program) || /[\\/]/.test(program);
  if (program === "") return "it names no command";
  if (isPath && !existsSync(resolve(root, program))) return `${program} does not exist`;
  if (!isPath && findCommand(program, path) === undefined) return `the command ${program} is not on the PATH`;
  const script = args.find((word) => /\.[cm]?js$/.test(word));
  return script === undefined || existsSync(resolve(root, script)) ? undefined : `${script} does not exist`;
}
