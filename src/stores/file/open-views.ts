import { lstatSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { deferWork } from "../../kit/deferred-work.ts";
import { unlessIoError } from "../../kit/io-errors.ts";
import { sha256 } from "../../kit/sha256.ts";
import { openView } from "../../workflow/open-view.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import type { StreamSnapshot } from "../../workflow/stream-snapshot.ts";
import { streamKey } from "../stream-key.ts";
import { replaceFile } from "./atomic-file.ts";
import { readPlain } from "./plain-file.ts";
import { atPath, inFolder, makeFolder } from "./safe-folder.ts";
import { engineFolder, streamPaths } from "./stream-paths.ts";

/** Shows open work to hosts' hooks, in a small file per stream. */
export type OpenViews = {
  /** Updates a stream's view in the background. */
  later(id: StreamId, stream: () => StreamSnapshot): void;
  /** Updates the view now. */
  show(id: StreamId, stream: StreamSnapshot): void;
  /** Writes pending views. */
  close(): void;
};

/** The folder of the views. */
export function openFolder(area: string): string {
  return join(engineFolder(area), "open");
}

/** The view file of a stream. */
export function openFile(area: string, id: StreamId): string {
  return join(openFolder(area), `${sha256(streamKey(id)).slice(0, 20)}.json`);
}

/**
 * Opens the views of a project area. An unchanged view only gets a new time: a journal younger than its view, or than the folder if it
 * has none, was continued by a process that could not show it.
 */
export function openViews(area: string, tmp: string): OpenViews {
  const waiting = new Map<string, { readonly id: StreamId; readonly stream: () => StreamSnapshot }>();
  const showing = deferWork(showAll, betweenRounds);

  function show(id: StreamId, stream: StreamSnapshot): void {
    const path = openFile(area, id);
    const view = openView(id, stream);
    const text = view === null ? undefined : `${JSON.stringify(view)}\n`;
    unlessIoError(() => {
      if (lstatSync(streamPaths(area, id).journal, { throwIfNoEntry: false }) === undefined) return;
      const before = unlessIoError(() => readPlain(path).toString("utf8")); // do not block on a pipe
      if (text === undefined) {
        if (before !== undefined) atPath(path, (at) => rmSync(at, { force: true }));
        else if (!touch(openFolder(area))) makeFolder(openFolder(area));
      } else if (text !== before || !touch(path)) {
        replaceFile(path, [Buffer.from(text)], tmp, { durable: false });
      }
    });
  }

  function showAll(): void {
    const all = [...waiting.values()];
    waiting.clear();
    for (const { id, stream } of all) show(id, stream());
  }

  return {
    later(id, stream) {
      waiting.set(streamKey(id), { id, stream });
      showing.schedule();
    },
    show,
    close: showing.settle,
  };
}

/** Updates a path's time; false if it is missing. */
function touch(path: string): boolean {
  const now = new Date();
  return (
    unlessIoError(() => {
      if (path.endsWith(".json")) atPath(path, (at) => utimesSync(at, now, now));
      else inFolder(path, (at) => utimesSync(at, now, now));
      return true;
    }) ?? false
  );
}

/** The least milliseconds between two rounds: less than the process of a hook takes to start. */
const betweenRounds = 25;
