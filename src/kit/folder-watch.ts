import { type FSWatcher, watch } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";

/** Watches folders, so that a query does not check every file if nothing changed. */
export type Watch = {
  /** Watches these folders; returns true if all of them were already watched. */
  cover(folders: readonly string[]): boolean;
  /** Resolves to true if every folder is watched and nothing changed since the last `cover`. */
  isQuiet(): Promise<boolean>;
  /** The number of changes heard so far; NaN if something is not watched, since then nothing can be told. */
  changes(): Promise<number>;
  close(): void;
};

const mostFolders = 512;

/** Creates a watch without folders; on systems that cannot watch it is never quiet. */
export function folderWatch(): Watch {
  const watchers = new Map<string, FSWatcher>();
  let isBlind = false;
  let hasChanged = true;
  let heard = 0;
  const drop = (folder: string) => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const begin = (folder: string) => {
    try {
      const watcher = watch(folder, { persistent: false }, () => {
        hasChanged = true;
        heard += 1;
      });
      watcher.on("error", () => {
        isBlind = true;
      });
      watchers.set(folder, watcher);
    } catch {
      isBlind = true;
    }
  };
  return {
    cover(folders) {
      hasChanged = false;
      if (isBlind || folders.length > mostFolders) {
        isBlind = true;
        for (const folder of watchers.keys()) drop(folder);
        return true;
      }
      const wanted = new Set(folders);
      for (const folder of watchers.keys()) if (!wanted.has(folder)) drop(folder);
      const fresh = folders.filter((folder) => !watchers.has(folder));
      for (const folder of fresh) begin(folder);
      return fresh.length === 0;
    },
    async isQuiet() {
      if (isBlind || watchers.size === 0) return false;
      await turn();
      await turn(); // two turns of the event loop deliver changes the system has already reported
      return !hasChanged && !isBlind;
    },
    async changes() {
      if (isBlind || watchers.size === 0) return Number.NaN;
      await turn();
      await turn();
      return isBlind ? Number.NaN : heard;
    },
    close() {
      for (const folder of watchers.keys()) drop(folder);
    },
  };
}
