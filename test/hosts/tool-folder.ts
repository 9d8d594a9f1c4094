import { existsSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { delimiter, join } from "node:path";

/** What hosts and the commands of the tests use of a machine. */
const tools = ["bash", "cat", "env", "git", "ls", "node", "npm", "npx", "ps", "sh", "uname"];

/**
 * Fills a folder to be a host's whole PATH, so that nothing else of a machine matters: with `bwrap` on the PATH, say, Codex
 * looks for a helper that it does not write into a home among temporary files.
 */
export async function fillToolFolder(folder: string): Promise<string> {
  if (existsSync(folder)) return folder;
  await mkdir(folder);
  const places = (process.env.PATH ?? "").split(delimiter);
  for (const tool of tools) {
    const found = tool === "node" ? process.execPath : places.map((place) => join(place, tool)).find(existsSync);
    if (found !== undefined) await symlink(found, join(folder, tool));
  }
  return folder;
}
