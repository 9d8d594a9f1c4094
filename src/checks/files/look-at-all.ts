import { lstat } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { type LookAtAll, looksIn, makeLooks, putLook } from "./look.ts";

/** Looks at files here where they are few, and in a thread of its own, whose program is given, where they are many. */
export function lookWith(program: string | undefined): LookAtAll {
  let thread: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const lookThere = (started: string, area: string, paths: readonly string[]): ReturnType<LookAtAll> =>
    new Promise((resolve, reject) => {
      thread ??= new Worker(started, { execArgv: [] }).once("error", () => undefined);
      const asked = thread;
      const end = (): Worker => asked.off("message", tell).off("exit", gone);
      const tell = (numbers: BigInt64Array<ArrayBuffer>): void => {
        end().unref(); // a server that is to end does not wait for it
        resolve(looksIn(numbers));
      };
      const gone = (): void => {
        end();
        thread = undefined;
        reject(new Error("The thread that looks at files is gone."));
      };
      asked.once("message", tell).once("exit", gone).ref();
      asked.postMessage({ area, paths: paths.join("\0") });
    });
  return (area, paths) => {
    if (program === undefined || paths.length < many) return lookAtAll(area, paths);
    const looked = last.then(() => lookThere(program, area, paths)).catch(() => lookAtAll(area, paths));
    last = looked; // one question at a time
    return looked;
  };
}

/** From so many files on a thread is worth its start. */
const many = 1000;

/** Looks at files without another thread. */
export const lookAtAll: LookAtAll = async (area, paths) => {
  const found = makeLooks(paths.length);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < paths.length; at = next++)
      putLook(found, at, await lstat(`${area}/${paths[at]}`, { bigint: true }).catch(() => undefined));
  };
  await Promise.all(Array.from({ length: 16 }, work));
  return found;
};
