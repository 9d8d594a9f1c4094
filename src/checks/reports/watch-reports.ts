import { randomUUID } from "node:crypto";
import { type BigIntStats, constants, type FSWatcher, watch } from "node:fs";
import { lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { CommandCheck } from "../../gates/check.ts";
import { isFolderInside } from "../files/folder-inside.ts";
import { countReport } from "./read-report.ts";
import { addUp, type ReportCount, type ReportRead } from "./report.ts";

/** Reports that are watched while their check runs. */
export type ReportWatch = {
  /** Looks at each report now; also done every few milliseconds. */
  look(): Promise<void>;
  /** Ends the watch once the command has ended, and adds up what its reports say. */
  read(): Promise<ReportRead | Record<string, never>>;
};

type Watched = {
  last: BigIntStats | undefined;
  /** Its beginning, which stays as it is while it grows. */
  head: Buffer;
  isReplaced: boolean;
  /** How often its name was created, moved or removed. */
  named: number;
  watcher: FSWatcher | undefined;
  /** The place of an earlier report meanwhile. */
  readonly before: string | undefined;
};

/**
 * Watches the reports of a check. Earlier ones are moved aside, and are back if the command writes none; so a report that exists was
 * written during the run. It may only grow: one that shrinks, begins differently or is replaced was written by something else, or twice.
 */
export async function watchReports(area: string, reports: CommandCheck["reports"], everyMs = 20): Promise<ReportWatch> {
  const watched = new Map<string, Watched>();
  for (const { path } of reports) {
    await makeFolder(area, dirname(path));
    const isThere = (await plainFile(area, path)) !== undefined;
    const before = isThere ? join(area, `${path}.${randomUUID().slice(0, 8)}.before`) : undefined;
    if (before !== undefined) await rename(join(area, path), before);
    const nothing = { last: undefined, head: Buffer.alloc(0), isReplaced: false, named: 0, watcher: undefined };
    watched.set(path, { ...nothing, before });
  }
  const look = async (): Promise<void> => {
    for (const [path, one] of watched) {
      one.watcher ??= await watchName(area, path, (isNamed) => {
        if (isNamed && ++one.named > 1) one.isReplaced = true;
        lookSoon();
      });
      const now = await plainFile(area, path);
      if (one.last !== undefined && (now === undefined || !isGrown(one.last, now))) one.isReplaced = true;
      if (now !== undefined && now.size !== one.last?.size) {
        const head = await headOf(join(area, path));
        if (!head.subarray(0, one.head.length).equals(one.head)) one.isReplaced = true;
        one.head = head;
      }
      one.last = now ?? one.last;
    }
  };
  let looking: Promise<void> = Promise.resolve();
  const lookSoon = (): void => {
    looking = looking.then(look);
  };
  await look();
  const timer = setInterval(lookSoon, everyMs);
  return {
    look,
    async read() {
      clearInterval(timer);
      await looking;
      await look();
      await nextEvents();
      for (const { watcher } of watched.values()) watcher?.close();
      const counts: ReportCount[] = [];
      for (const { format, path } of reports) {
        const one = watched.get(path);
        const { last, before } = one ?? {};
        if (before !== undefined && last !== undefined) await rm(before, { force: true });
        else if (before !== undefined) await rename(before, join(area, path)).catch(() => undefined);
        const none = before === undefined ? "was not written" : "is older than this run";
        counts.push(last === undefined ? { problem: `its report ${path} ${none}` } : await countIfWhole(path, format));
      }
      return counts.length === 0 ? {} : addUp(counts);
    },
  };

  async function countIfWhole(path: string, format: CommandCheck["reports"][number]["format"]): Promise<ReportCount> {
    const count = await countReport(join(area, path), format).catch(() => ({ problem: "it cannot be read" }));
    await look();
    if (watched.get(path)?.isReplaced === true)
      return {
        problem: `its report ${path} was written more than once: something else wrote it, or the command did twice`,
      };
    return "problem" in count ? { problem: `its report ${path} cannot be used: ${count.problem}` } : count;
  }
}

/** Tells each change of a name in its folder as it happens, where the system reports those of one name by themselves. */
async function watchName(area: string, path: string, tell: (isNamed: boolean) => void): Promise<FSWatcher | undefined> {
  const folder = dirname(path);
  if (process.platform !== "linux" || !(await isFolderInside(area, folder))) return undefined;
  try {
    return watch(join(area, folder), { persistent: false }, (event, name) => {
      if (name === basename(path)) tell(event === "rename");
    }).on("error", () => undefined);
  } catch {
    return undefined; // the folder is gone, or there are no more watches: the looks remain
  }
}

/** Lets events that are already there be told. */
function nextEvents(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

function isGrown(before: BigIntStats, now: BigIntStats): boolean {
  if (before.ino !== now.ino || before.dev !== now.dev || now.size < before.size) return false;
  return now.size > before.size || before.size === 0n || now.mtimeNs === before.mtimeNs;
}

/** The first bytes of a file; none if it cannot be read. */
async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (file === undefined) return Buffer.alloc(0);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(64 << 10), position: 0 });
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The stat of a report; undefined if there is no plain file in a folder of the area. */
async function plainFile(area: string, path: string): Promise<BigIntStats | undefined> {
  if (!(await isFolderInside(area, dirname(path)))) return undefined;
  const found = await lstat(join(area, path), { bigint: true }).catch(() => undefined);
  return found?.isFile() === true ? found : undefined;
}

/** Makes the folder of a report, which many test runners do not; through a link nothing is made. */
async function makeFolder(area: string, path: string): Promise<void> {
  let folder = area;
  for (const part of path.split("/")) {
    folder = join(folder, part);
    const there = await lstat(folder).catch(() => undefined);
    if (there === undefined) await mkdir(folder).catch(() => undefined);
    else if (!there.isDirectory()) return;
  }
}
