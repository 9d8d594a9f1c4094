import { readFile, readlink } from "node:fs/promises";
import { namespaceOf } from "./container.ts";

/**
 * Identifies this process so that others can tell if it is alive: pid, start time (pids are reused) and pid namespace; the pid alone
 * without /proc.
 */
export function ownMark(): Promise<string> {
  own ??= markOf(process.pid).catch(() => String(process.pid));
  return own;
}

let own: Promise<string> | undefined;

async function markOf(pid: number): Promise<string> {
  const [stat, space] = await Promise.all([readFile(`/proc/${pid}/stat`, "latin1"), readlink(namespaceOf("self"))]);
  const began = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  return `ns${space.replace(/\D/g, "")}-${pid}-${began}`;
}

/** Tells if the marked process is alive; undefined if it is in another namespace. */
export async function isProcessAlive(mark: string): Promise<boolean | undefined> {
  if (/^\d+$/.test(mark)) return isAlive(Number(mark));
  const [space, pid = ""] = mark.split("-");
  if (!/^\d+$/.test(pid) || space !== (await ownMark()).split("-")[0]) return undefined;
  return markOf(Number(pid)).then(
    (now) => now === mark,
    (error: NodeJS.ErrnoException) => (error.code === "ENOENT" || error.code === "ESRCH" ? false : undefined),
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
