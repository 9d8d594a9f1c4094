import { type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { unlessFault } from "./faults.ts";

/** How often a file is looked at whose folder cannot be watched, or whose changes are not told, in milliseconds. */
const pause = 80;

/** Calls whenever a file has changed, until it is told to stop: told by the system where that works, and found by looking where it does not. Keeps no process alive. */
export function followFile(file: string, changed: () => void): () => void {
  let known = versionOf(file);
  let watcher: FSWatcher | undefined;
  let stopped = false;
  const look = (): void => {
    const now = versionOf(file);
    if (stopped || now === known) return;
    known = now;
    changed();
  };
  const startWatching = (): void => {
    watcher ??= unlessFault(() => watch(dirname(file), { persistent: false }));
    watcher?.on("change", (_, name) => {
      if (name === null || name === basename(file)) look();
    });
    watcher?.on("error", stopWatching);
  };
  const stopWatching = (): void => {
    watcher?.close();
    watcher = undefined;
  };
  startWatching();
  const timer = setInterval(() => {
    if (watcher === undefined) startWatching();
    look();
  }, pause);
  timer.unref();
  return () => {
    stopped = true;
    clearInterval(timer);
    stopWatching();
  };
}

function versionOf(file: string): string {
  const found = unlessFault(() => statSync(file, { bigint: true, throwIfNoEntry: false }));
  return found === undefined ? "" : [found.dev, found.ino, found.size, found.mtimeNs].join();
}
