import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { hosts } from "./all-hosts.ts";
import type { Host } from "./host.ts";

/** The hosts that seem to be used in this project or on this machine. */
export function detectHosts(root: string, home: string, path: string): readonly Host[] {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  const isCommand = (name: string): boolean =>
    folders.some((folder) => ["", ".exe", ".cmd"].some((ending) => existsSync(join(folder, name + ending))));
  return hosts.filter(
    ({ traces }) =>
      traces.project.some((name) => existsSync(join(root, name))) ||
      traces.home.some((name) => existsSync(join(home, name))) ||
      traces.commands.some(isCommand),
  );
}
