import { type FSWatcher, watch } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";

/** Watches folders so that a query need not look at every file when nothing has changed. */
export type Watch = {
  /** Watches these folders from now on; true where all of them were watched already. */
  cover(folders: readonly string[]): boolean;
  /** True where every folder is watched and nothing in them has changed since the last call of `cover`. */
  isQuiet(): Promise<boolean>;
  close(): void;
};

const mostFolders = 512;

/** A watch over no folder yet. Where the system cannot watch, nothing is ever called quiet. */
export function folderWatch(): Watch {
  const watchers = new Map<string, FSWatcher>();
  let isBlind = false;
  let hasChanged = true;
  const drop = (folder: string) => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const begin = (folder: string) => {
    try {
      const watcher = watch(folder, { persistent: false }, () => {
        hasChanged = true;
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
      await turn(); // two turns of the loop: what the system has already reported is heard in between
      return !hasChanged && !isBlind;
    },
    close() {
      for (const folder of watchers.keys()) drop(folder);
    },
  };
}
