import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { hosts } from "./all-hosts.ts";
import type { Host } from "./host.ts";

/** The hosts that seem to be used in this project or on this machine. */
export function detectHosts(root: string, home: string, path: string): readonly Host[] {
  return hosts.filter(
    ({ traces }) =>
      traces.project.some((name) => existsSync(join(root, name))) ||
      traces.home.some((name) => existsSync(join(home, name))) ||
      traces.commands.some((name) => findCommand(name, path) !== undefined),
  );
}

/** The file that a command's name starts, by the PATH variable. */
export function findCommand(name: string, path: string): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  return folders
    .flatMap((folder) => ["", ".exe", ".cmd"].map((ending) => join(folder, name + ending)))
    .find((file) => existsSync(file));
}
