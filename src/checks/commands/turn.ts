import { mkdir, readdir, readFile, realpath, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { nameOf } from "../../evidence/check-verdict.ts";
import { lives, ownMark } from "./owner.ts";

/** Lets go of a turn. */
export type LetGo = () => Promise<void>;

/**
 * Takes the turn of a work tree, outside of every project: one check of it runs at a time, whichever window asks. Answers
 * undefined where another process that is alive has it.
 *
 * Turns have numbers, and a number is given once: the latest stays until a later one is there. So of all who find that
 * nobody has the latest one gets the next, and who was slow finds that there is a later one.
 */
export async function takeTurn(folder: string, area: string): Promise<LetGo | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = nameOf(await realpath(area));
  const fileOf = (turn: number): string => join(folder, `${name}.${turn}`);
  for (let tries = 0; tries < 5; tries++) {
    const latest = Math.max(0, ...(await turnsOf(folder, name)));
    if (latest > 0 && (await isHeld(fileOf(latest)))) return undefined;
    const file = fileOf(latest + 1);
    if (!(await isMade(file, await ownMark()))) continue;
    const turns = await turnsOf(folder, name);
    const isLate = turns.some((turn) => turn > latest + 1);
    const past = isLate ? [latest + 1] : turns.filter((turn) => turn <= latest);
    await Promise.all(past.map((turn) => rm(fileOf(turn), { force: true })));
    if (!isLate) return held(file);
  }
  return undefined;
}

/** Whether somebody who is gone had a turn and did not let go of it: something of a check may be left. */
export async function hasAbandonedTurn(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names) {
    const owner = await readFile(join(folder, name), "utf8").catch(() => free);
    if (owner !== free && (await lives(owner)) === false) return true;
  }
  return false;
}

/** What stands in the file of a turn that nobody has any more. */
const free = "free";

async function turnsOf(folder: string, name: string): Promise<readonly number[]> {
  const names = await readdir(folder);
  return names.filter((one) => one.startsWith(`${name}.`)).map((one) => Number(one.slice(name.length + 1)));
}

async function isMade(file: string, owner: string): Promise<boolean> {
  return writeFile(file, owner, { flag: "wx", mode: 0o600 }).then(
    () => true,
    () => false,
  );
}

/** Shows all the while that it is held, to those who cannot see who holds it. */
function held(file: string): LetGo {
  const shown = setInterval(() => {
    const now = new Date();
    void utimes(file, now, now).catch(() => undefined);
  }, 2000);
  shown.unref();
  return () => {
    clearInterval(shown);
    return writeFile(file, free);
  };
}

async function isHeld(file: string): Promise<boolean> {
  const owner = await readFile(file, "utf8").catch(() => free);
  if (owner === free) return false;
  const isAlive = owner === "" ? undefined : await lives(owner);
  if (isAlive !== undefined) return isAlive;
  // Whose it is cannot be seen from here; or it was made just now, and is not written yet.
  const made = await stat(file).catch(() => undefined);
  return made !== undefined && Date.now() - made.mtimeMs < 30_000;
}
