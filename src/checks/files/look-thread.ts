import { type BigIntStats, lstatSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { makeLooks, putLook } from "./look.ts";

/** A thread of its own that looks at files one after another: for thousands that takes a third of the work of asking for each. */
parentPort?.on("message", ({ area, paths }: { area: string; paths: string }) => {
  const files = paths.split("\0");
  const found = makeLooks(files.length);
  for (const [at, path] of files.entries()) putLook(found, at, lookAt(`${area}/${path}`));
  parentPort?.postMessage(found.numbers, [found.numbers.buffer]);
});

function lookAt(file: string): BigIntStats | undefined {
  try {
    return lstatSync(file, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
