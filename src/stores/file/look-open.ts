import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DeskId } from "../../engine/ports.ts";
import { type OpenView, readOpenView } from "../../words/open-view.ts";
import { unlessFault } from "./faults.ts";
import { openFile, openFolder } from "./open-views.ts";
import { journalOf, ownFolder } from "./places.ts";
import { desksNamedIn } from "./traces.ts";
import { inFolder, reach } from "./way.ts";

/** So much later than its view a journal may seem to be written, in milliseconds: a view is set back a little. */
const slack = 100;

/** What is under way in a project area, as it was last shown; and the desks whose history went on without being shown. */
export function lookOpen(area: string): { readonly views: readonly OpenView[]; readonly behind: readonly DeskId[] } {
  const folder = openFolder(area);
  const names = unlessFault(() => inFolder(folder, (at) => readdirSync(at))) ?? [];
  const views = names
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => {
      const text = unlessFault(() => reach(join(folder, name), (at) => readFileSync(at, "utf8")));
      return readOpenView(text ?? "") ?? [];
    });
  const shownAt = timeOf(folder) ?? 0;
  const desks = unlessFault(() => desksNamedIn(join(ownFolder(area), "journal"))) ?? [];
  const behind = desks.filter((id) => {
    const written = timeOf(journalOf(area, id)) ?? 0;
    return written > (timeOf(openFile(area, id)) ?? shownAt) + slack;
  });
  return { views, behind };
}

function timeOf(path: string): number | undefined {
  return unlessFault(() => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs);
}
