import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { DeskId } from "../../engine/ports.ts";
import { type OpenView, readOpenView } from "../../words/open-view.ts";
import { unlessFault } from "./faults.ts";
import { openFile, openFolder } from "./open-views.ts";
import { journalOf, ownFolder } from "./places.ts";
import { readPlain } from "./plain-file.ts";
import { desksNamedIn } from "./traces.ts";
import { inFolder } from "./way.ts";

/** So much later than its view a journal may seem to be written, in milliseconds: a view is set back a little. */
const slack = 100;

/** What is under way in a project area, as it was last shown; and the desks whose history went on without being shown. */
export function lookOpen(area: string): { readonly views: readonly OpenView[]; readonly behind: readonly DeskId[] } {
  const folder = openFolder(area);
  const names = unlessFault(() => inFolder(folder, (at) => readdirSync(at))) ?? [];
  const read = names
    .filter((name) => name.endsWith(".json"))
    .map((name) => {
      const path = join(folder, name);
      const isShort = (standing(path)?.size ?? 0) <= mostBytes;
      const text = isShort ? unlessFault(() => readPlain(path).toString("utf8")) : undefined;
      return { path, view: readOpenView(text ?? "") };
    });
  const views = read.flatMap(({ view }) => view ?? []);
  const spoiled = new Set(read.flatMap(({ path, view }) => (view === undefined ? [path] : [])));
  const shownAt = timeOf(folder) ?? 0;
  const desks = unlessFault(() => desksNamedIn(join(ownFolder(area), "journal"))) ?? [];
  const behind = desks.filter((id) => {
    const written = timeOf(journalOf(area, id)) ?? 0;
    return spoiled.has(openFile(area, id)) || written > (timeOf(openFile(area, id)) ?? shownAt) + slack;
  });
  return { views, behind };
}

/** A view of ours is a few lines. */
const mostBytes = 1 << 20;

function timeOf(path: string): number | undefined {
  return standing(path)?.mtimeMs;
}

function standing(path: string): Stats | undefined {
  return unlessFault(() => lstatSync(path, { throwIfNoEntry: false }));
}
