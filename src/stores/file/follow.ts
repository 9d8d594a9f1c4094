import { type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { unlessFault } from "./faults.ts";

/** How often a file is looked at whose folder cannot be watched, in milliseconds; and one whose folder can, where changes may not be told. */
const pause = 80;
const pauseWhileWatched = 400;

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
  let timer: NodeJS.Timeout;
  const lookLater = (): void => {
    timer = setTimeout(
      () => {
        if (watcher === undefined) startWatching();
        look();
        if (!stopped) lookLater();
      },
      watcher === undefined ? pause : pauseWhileWatched,
    );
    timer.unref();
  };
  lookLater();
  return () => {
    stopped = true;
    clearTimeout(timer);
    stopWatching();
  };
}

function versionOf(file: string): string {
  const found = unlessFault(() => statSync(file, { bigint: true, throwIfNoEntry: false }));
  return found === undefined ? "" : [found.dev, found.ino, found.size, found.mtimeNs].join();
}
