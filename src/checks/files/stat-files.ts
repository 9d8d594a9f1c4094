import { lstat } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { makeStats, putStat, type StatFiles, statsFrom } from "./file-stats.ts";

/** Stats files directly if they are few, and in a worker thread (`program`) if they are many. */
export function statFilesWith(program: string | undefined): StatFiles {
  let thread: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const lookThere = (started: string, area: string, paths: readonly string[]): ReturnType<StatFiles> =>
    new Promise((resolve, reject) => {
      thread ??= new Worker(started, { execArgv: [] }).once("error", () => undefined);
      const asked = thread;
      const end = (): Worker => asked.off("message", tell).off("exit", gone);
      const tell = (numbers: BigInt64Array<ArrayBuffer>): void => {
        end().unref(); // do not keep a closing server alive
        resolve(statsFrom(numbers));
      };
      const gone = (): void => {
        end();
        thread = undefined;
        reject(new Error("The worker thread that stats files has exited."));
      };
      asked.once("message", tell).once("exit", gone).ref();
      asked.postMessage({ area, paths: paths.join("\0") });
    });
  return (area, paths) => {
    if (program === undefined || paths.length < many) return statFiles(area, paths);
    const looked = last.then(() => lookThere(program, area, paths)).catch(() => statFiles(area, paths));
    last = looked; // one request at a time
    return looked;
  };
}

/** The number of files from which a thread pays off. */
const many = 1000;

/** Stats files without a thread. */
export const statFiles: StatFiles = async (area, paths) => {
  const found = makeStats(paths.length);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < paths.length; at = next++)
      putStat(found, at, await lstat(`${area}/${paths[at]}`, { bigint: true }).catch(() => undefined));
  };
  await Promise.all(Array.from({ length: 16 }, work));
  return found;
};
