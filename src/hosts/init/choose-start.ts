import type { CommandLine, Start } from "../host.ts";
import { installedIn, isCommand, isNpxFromRegistry, packagedFile, vendoredFile } from "./installation.ts";

/** The way this Waymark was started. */
export type Origin = {
  readonly root: string;
  /** The running file, with links resolved. */
  readonly script: string;
  readonly node: string;
  readonly platform: string;
  /** The PATH variable. */
  readonly path: string;
  /** The command that the person wants to be written instead. */
  readonly command?: string;
  /** True if the project gets a copy of this Waymark. */
  readonly vendor?: boolean;
};

/** Decides how hosts start Waymark; in shared files it must also work in colleagues' clones. */
export function chooseStart(origin: Origin): Start {
  const { root, script, node, platform, path, command, vendor } = origin;
  if (command !== undefined) return startAsWritten(command, root);
  if (vendor === true) return { ...startByFile(vendoredFile), onThisMachine: byPaths(node, script, root) };
  const installed = installedIn(root);
  if (installed !== undefined) return { ...startByFile(installed), onThisMachine: byPaths(node, script, root) };
  if (isNpxFromRegistry(script)) return startBy(shellOf(platform, "npx"), ["-y", "waymark"], { root, fetches: true });
  if (isCommand(script, path, platform))
    return { ...startBy(shellOf(platform, "waymark"), [], { root }), needs: onlyCommand };
  return { ...startByFile(packagedFile), onThisMachine: byPaths(node, script, root), needs: notInstalled };
}

/** The same, for a server that passes calls to a team server; hooks are left out, since the work is recorded there. */
export function startRemote({ inProject, onThisMachine, ...start }: Start, url: string): Start {
  const remote = ({ args, ...line }: CommandLine): CommandLine => {
    const at = args.indexOf("serve") + 1;
    return { ...line, args: [...args.slice(0, at), "--remote", url, ...args.slice(at)] };
  };
  return { ...start, inProject: (folder) => remote(inProject(folder)), onThisMachine: remote(onThisMachine) };
}

const onlyCommand =
  "Assistants start Waymark with the command `waymark`, so colleagues need it too. To put a copy into the project instead, for git: waymark init --vendor.";
const notInstalled =
  "Assistants start Waymark from the project's node_modules, but it is not installed there. Run init with --vendor, which puts a copy into .waymark/vendor/ for git; or install the package in the project; or name a command with --command.";

function startAsWritten(command: string, root: string): Start {
  const [program = "waymark", ...words] = wordsOf(command);
  const args = words.includes("serve") ? words : [...words, "serve"];
  return {
    inProject: () => ({ command: program, args }),
    onThisMachine: { command: program, args: args.includes("--root") ? args : [...args, "--root", root] },
  };
}

function startByFile(file: string): Pick<Start, "inProject"> {
  const inFolder = (folder: string): string => (folder === "." && file.startsWith("../") ? file : `${folder}/${file}`);
  return { inProject: (folder) => ({ command: "node", args: [inFolder(folder), "serve"] }) };
}

function byPaths(node: string, script: string, root: string): CommandLine {
  return { command: node, args: [script, "serve", "--root", root] };
}

type Shell = readonly [command: string, ...words: readonly string[]];

/** On Windows, commands installed by npm are batch files, which only a shell can start. */
function shellOf(platform: string, program: string): Shell {
  return platform === "win32" ? ["cmd", "/c", program] : [program];
}

function startBy(
  [command, ...first]: Shell,
  words: readonly string[],
  { root, fetches }: { readonly root: string; readonly fetches?: true },
): Start {
  const line = (...more: readonly string[]): CommandLine => ({
    command,
    args: [...first, ...words, "serve", ...more],
    ...(fetches ? { fetches } : {}),
  });
  return { inProject: () => line(), onThisMachine: line("--root", root) };
}

function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, one, two, plain]) => one ?? two ?? plain ?? "");
}
