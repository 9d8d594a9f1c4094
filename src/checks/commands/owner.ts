import { readFile, readlink } from "node:fs/promises";
import { namespaceOf } from "./contain.ts";

/**
 * Names this process so that any other can tell whether it still lives: by its number, by when it began, since numbers
 * come again, and by the namespace in which the number counts. Where there is no /proc: by its number.
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

/** Whether whoever is named so still lives; undefined where nobody here can say, since it has a namespace of its own. */
export async function lives(mark: string): Promise<boolean | undefined> {
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
