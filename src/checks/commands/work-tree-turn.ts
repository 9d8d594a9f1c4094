import { mkdir, readdir, readFile, realpath, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { canonicalText } from "../../gates/check-verdict.ts";
import { isProcessAlive, ownMark } from "./process-mark.ts";

/** Releases a turn. */
export type ReleaseTurn = () => Promise<void>;

/**
 * Takes the turn of a work tree, in a folder outside every project, so that only one check of it runs at a time; undefined if another
 * living process has it. Turns are numbered and each number is given once: the latest file stays until a later one exists, so of all
 * processes that find it free, one gets the next.
 */
export async function takeTurn(folder: string, area: string): Promise<ReleaseTurn | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = canonicalText(await realpath(area));
  const fileOf = (turn: number): string => join(folder, `${name}.${turn}`);
  for (let tries = 0; tries < 5; tries++) {
    const latest = Math.max(0, ...(await turnsOf(folder, name)));
    if (latest > 0 && (await isTurnTaken(fileOf(latest)))) return undefined;
    const file = fileOf(latest + 1);
    if (!(await isMade(file, await ownMark()))) continue;
    const turns = await turnsOf(folder, name);
    const isLate = turns.some((turn) => turn > latest + 1);
    const past = isLate ? [latest + 1] : turns.filter((turn) => turn <= latest);
    await Promise.all(past.map((turn) => rm(fileOf(turn), { force: true })));
    if (!isLate) return keepTurn(file);
  }
  return undefined;
}

/** Tells if a dead process still holds a turn, so its check may have left processes behind. */
export async function hasAbandonedTurn(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names) {
    const owner = await readFile(join(folder, name), "utf8").catch(() => free);
    if (owner !== free && (await isProcessAlive(owner)) === false) return true;
  }
  return false;
}

/** The content of a released turn's file. */
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

/** Keeps touching the file, for processes that cannot see the owner. */
function keepTurn(file: string): ReleaseTurn {
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

async function isTurnTaken(file: string): Promise<boolean> {
  const owner = await readFile(file, "utf8").catch(() => free);
  if (owner === free) return false;
  const isAlive = owner === "" ? undefined : await isProcessAlive(owner);
  if (isAlive !== undefined) return isAlive;
  // The owner is not visible from here, or the file was just created and not written yet.
  const made = await stat(file).catch(() => undefined);
  return made !== undefined && Date.now() - made.mtimeMs < 30_000;
}
