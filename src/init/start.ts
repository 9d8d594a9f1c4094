import { readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { Start } from "../hosts/host.ts";

/** How this Waymark came to run. */
export type Origin = {
  readonly root: string;
  /** The file that is running, with links resolved. */
  readonly script: string;
  readonly node: string;
  readonly platform: string;
  /** What the person wants to be written instead. */
  readonly command?: string;
};

/**
 * Decides how hosts start Waymark, so that it works on this machine: what is installed in the project or came out of
 * npx's store from a registry is written so that it works for the whole team, anything else by its full paths.
 */
export function startFor({ root, script, node, platform, command }: Origin): Start {
  if (command !== undefined) {
    const [program = "waymark", ...words] = wordsOf(command);
    return (workspace) => ({ command: program, args: [...words, "serve", "--root", workspace] });
  }
  const inProject = relative(root, script).split(sep);
  if (inProject[0] === "node_modules") {
    return (workspace) => ({
      command: "node",
      args: [`${workspace}/${inProject.join("/")}`, "serve", "--root", workspace],
    });
  }
  if (isFromRegistry(script)) {
    const [program, ...words] = platform === "win32" ? ["cmd", "/c", "npx"] : ["npx"];
    return (workspace) => ({
      command: program ?? "npx",
      args: [...words, "-y", "waymark", "serve", "--root", workspace],
      fetches: true,
    });
  }
  return () => ({ command: node, args: [script, "serve", "--root", root] });
}

function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, one, two, plain]) => one ?? two ?? plain ?? "");
}

/** npx notes beside its copies what it was asked for: a version comes from a registry, a path or an address does not. */
function isFromRegistry(script: string): boolean {
  const at = script.lastIndexOf(`${sep}_npx${sep}`);
  const store = at === -1 ? undefined : script.slice(0, script.indexOf(sep, at + 6));
  if (store === undefined || dirname(store) === store) return false;
  try {
    const noted: { dependencies?: { waymark?: unknown } } = JSON.parse(
      readFileSync(join(store, "package.json"), "utf8"),
    );
    return /^[\^~=v]?\d/.test(String(noted.dependencies?.waymark));
  } catch {
    return false;
  }
}
