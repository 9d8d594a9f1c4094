import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { nameOf } from "../../evidence/check-verdict.ts";
import { ownerMark } from "./sweep.ts";

/** Lets go of a turn. */
export type LetGo = () => Promise<void>;

/**
 * Takes the turn of a work tree, outside of every project: one check of it runs at a time, whichever window asks. Answers
 * undefined where another process that is alive has it.
 */
export async function takeTurn(folder: string, area: string): Promise<LetGo | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, nameOf(area));
  const own = ownerMark() ?? String(process.pid);
  for (let tries = 0; tries < 5; tries++) {
    const handle = await open(file, "wx", 0o600).catch(() => undefined);
    if (handle !== undefined) {
      await handle.writeFile(own).finally(() => handle.close());
      return () => rm(file, { force: true });
    }
    if (await isHeld(file)) return undefined;
    // Whoever had it is gone. Only one of those who find that out can move its file away.
    const aside = `${file}.${process.pid}`;
    const isMoved = await rename(file, aside).then(
      () => true,
      () => false,
    );
    if (isMoved) await rm(aside, { force: true });
  }
  return undefined;
}

async function isHeld(file: string): Promise<boolean> {
  const owner = await readFile(file, "utf8").catch(() => "");
  const pid = Number(owner.split("-", 1)[0]);
  if (owner === "") {
    // Made just now, and not written yet; or its maker died at that moment.
    const made = await stat(file).catch(() => undefined);
    return made !== undefined && Date.now() - made.mtimeMs < 5000;
  }
  const mark = ownerMark(pid);
  return mark === undefined ? isAlive(pid) && process.platform !== "linux" : mark === owner;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
