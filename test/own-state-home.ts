import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { folderInMemory } from "./temporary.ts";

/** The tests have a folder of their own to write to, and in it a state folder: nothing of theirs is remembered in anybody's home. */
export default function setup(): () => Promise<void> {
  const temporary = folderInMemory();
  if (temporary !== undefined) process.env.TMPDIR = temporary;
  const home = mkdtempSync(join(tmpdir(), "waymark-state-"));
  process.env.XDG_STATE_HOME = home;
  return async () => {
    await endPostgres(join(home, "postgres/server.json"));
    rmSync(home, { recursive: true, force: true });
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
  };
}

/** Ends the PostgreSQL that a test of this run has started, where one has. */
async function endPostgres(file: string): Promise<void> {
  let server: { readonly pid: number; readonly folder: string };
  try {
    server = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return; // nobody needed one
  }
  try {
    process.kill(server.pid, "SIGQUIT");
    for (;;) {
      process.kill(server.pid, 0);
      await wait(20);
    }
  } catch {
    rmSync(server.folder, { recursive: true, force: true });
  }
}
