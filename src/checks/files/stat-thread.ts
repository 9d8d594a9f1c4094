import { type BigIntStats, lstatSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { makeStats, putStat } from "./file-stats.ts";

/** A worker thread that stats files synchronously: for thousands, a third of the work of asynchronous calls. */
parentPort?.on("message", ({ area, paths }: { area: string; paths: string }) => {
  const files = paths.split("\0");
  const found = makeStats(files.length);
  for (const [at, path] of files.entries()) putStat(found, at, lookAt(`${area}/${path}`));
  parentPort?.postMessage(found.numbers, [found.numbers.buffer]);
});

function lookAt(file: string): BigIntStats | undefined {
  try {
    return lstatSync(file, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
