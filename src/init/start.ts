import type { CommandLine, Start } from "../hosts/host.ts";
import { installedIn, isCommand, isFromRegistry, packagedFile } from "./where-from.ts";

/** How this Waymark came to run. */
export type Origin = {
  readonly root: string;
  /** The file that is running, with links resolved. */
  readonly script: string;
  readonly node: string;
  readonly platform: string;
  /** The folders of commands, as the system names them. */
  readonly path: string;
  /** What the person wants to be written instead. */
  readonly command?: string;
};

/** Decides how hosts start Waymark: in files that colleagues share, so that it works in their clones too. */
export function startFor(origin: Origin): Start {
  const { root, script, node, platform, path, command } = origin;
  if (command !== undefined) return startAsWritten(command, root);
  const installed = installedIn(root);
  if (installed !== undefined) return { ...startByFile(installed), onThisMachine: byPaths(node, script, root) };
  if (isFromRegistry(script)) return startBy(shellOf(platform, "npx"), ["-y", "waymark"], { root, fetches: true });
  if (isCommand(script, path, platform))
    return { ...startBy(shellOf(platform, "waymark"), [], { root }), needs: onlyCommand };
  return { ...startByFile(packagedFile), onThisMachine: byPaths(node, script, root), needs: notInstalled };
}

/** A name would lead to whatever a registry has under it: only the package itself is sure to be Waymark. */
const toInstall =
  "in the project, run `npm pack <folder of the clone of Waymark>`, then `npm install --save-dev ./waymark-<version>.tgz`, and commit that file";
const onlyCommand = `Assistants start Waymark as the command \`waymark\`. Colleagues need that command too; or have the project bring it along: ${toInstall}, and run init again. Then \`npm install\` after a clone is enough.`;
const notInstalled = `Assistants start Waymark from the project's node_modules, and it is not there yet: ${toInstall} (colleagues: \`npm install\` after a clone). Or name another command with --command.`;

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

/** On Windows commands that npm installs are batch files, which only a shell can start. */
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
