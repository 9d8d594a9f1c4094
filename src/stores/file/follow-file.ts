import { type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { unlessIoError } from "../../kit/io-errors.ts";

/** The polling intervals in milliseconds, without a watcher and with one. */
const pause = 80;
const pauseWhileWatched = 400;

/** Calls `changed` whenever a file changes, by watching or polling, until stopped; does not keep the process alive. */
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
    watcher ??= unlessIoError(() => watch(dirname(file), { persistent: false }));
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

/** Identifies one version of a file. */
export function versionOf(file: string): string {
  const found = unlessIoError(() => statSync(file, { bigint: true, throwIfNoEntry: false }));
  return found === undefined ? "" : [found.dev, found.ino, found.size, found.mtimeNs].join();
}
