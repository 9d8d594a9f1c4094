import { type FSWatcher, watch } from "node:fs";
import { basename, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";

/** Watches folders, so that files are not checked again if nothing changed. */
export type FolderWatch = {
  /** Watches exactly these folders; returns true if all of them were already watched. */
  cover(folders: readonly string[]): boolean;
  /** The number of changes heard so far; NaN if nothing is watched, since then nothing can be told. */
  changes(): Promise<number>;
  close(): void;
};

const mostFolders = 4096;

/** Creates a watch without folders; `matters` tells of which paths a change counts. On systems that cannot watch it hears nothing. */
export function folderWatch(matters: (path: string) => boolean = () => true): FolderWatch {
  const watchers = new Map<string, FSWatcher>();
  let isBlind = false;
  let heard = 0;
  const drop = (folder: string) => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const begin = (folder: string) => {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        // A folder that was moved or deleted reports its own name; what takes its place is another folder.
        const isItself = name === basename(folder);
        if (isItself && watchers.get(folder) === watcher) drop(folder);
        if (isItself || name === null || matters(join(folder, name))) heard += 1;
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
      if (folders.length > mostFolders) isBlind = true;
      const wanted = new Set(isBlind ? [] : folders);
      for (const folder of watchers.keys()) if (!wanted.has(folder)) drop(folder);
      const fresh = [...wanted].filter((folder) => !watchers.has(folder));
      for (const folder of fresh) begin(folder);
      return fresh.length === 0 && !isBlind;
    },
    async changes() {
      if (isBlind || watchers.size === 0) return Number.NaN;
      await turn();
      await turn(); // two turns of the event loop deliver changes the system has already reported
      return isBlind ? Number.NaN : heard;
    },
    close() {
      for (const folder of watchers.keys()) drop(folder);
    },
  };
}
