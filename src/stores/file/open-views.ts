import { lstatSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { DeskId } from "../../engine/ports.ts";
import { sha256 } from "../../evidence/sha256.ts";
import { openView } from "../../words/open-view.ts";
import type { Desk } from "../../workflow/desk.ts";
import { deskKey } from "../desk-key.ts";
import { replaceFile } from "./disk.ts";
import { unlessFault } from "./faults.ts";
import { journalOf, ownFolder } from "./places.ts";
import { readPlain } from "./plain-file.ts";
import { soon } from "./soon.ts";
import { inFolder, makeFolder, reach } from "./way.ts";

/** Shows hosts' hooks what is under way, in a small file for each desk that has something open. */
export type OpenViews = {
  /** Shows a desk as it will be in a moment: nobody waits for it. */
  later(id: DeskId, desk: () => Desk): void;
  /** Shows it now. */
  show(id: DeskId, desk: Desk): void;
  /** Shows what is still to be shown. */
  close(): void;
};

/** The folder of the views. */
export function openFolder(area: string): string {
  return join(ownFolder(area), "open");
}

/** Where the view of a desk stands. */
export function openFile(area: string, id: DeskId): string {
  return join(openFolder(area), `${sha256(deskKey(id)).slice(0, 20)}.json`);
}

/**
 * Opens the views of a project area. A view that stays as it is only gets the time: a journal that is younger than its view,
 * or, without one, than their folder, has been gone on with by somebody who could not show it any more.
 */
export function openViews(area: string, tmp: string): OpenViews {
  const waiting = new Map<string, { readonly id: DeskId; readonly desk: () => Desk }>();
  const showing = soon(showAll);

  function show(id: DeskId, desk: Desk): void {
    const path = openFile(area, id);
    const view = openView(id, desk);
    const text = view === null ? undefined : `${JSON.stringify(view)}\n`;
    unlessFault(() => {
      if (lstatSync(journalOf(area, id), { throwIfNoEntry: false }) === undefined) return;
      const before = unlessFault(() => readPlain(path).toString("utf8")); // nobody waits for a pipe that stands there
      if (text === undefined) {
        if (before !== undefined) reach(path, (at) => rmSync(at, { force: true }));
        else if (!touch(openFolder(area))) makeFolder(openFolder(area));
      } else if (text !== before || !touch(path)) {
        replaceFile(path, [Buffer.from(text)], tmp, { durable: false });
      }
    });
  }

  function showAll(): void {
    const all = [...waiting.values()];
    waiting.clear();
    for (const { id, desk } of all) show(id, desk());
  }

  return {
    later(id, desk) {
      waiting.set(deskKey(id), { id, desk });
      showing.ask();
    },
    show,
    close: showing.settle,
  };
}

/** Says that a file or folder is as it should be now; false where it is not there. */
function touch(path: string): boolean {
  const now = new Date();
  return (
    unlessFault(() => {
      if (path.endsWith(".json")) reach(path, (at) => utimesSync(at, now, now));
      else inFolder(path, (at) => utimesSync(at, now, now));
      return true;
    }) ?? false
  );
}
