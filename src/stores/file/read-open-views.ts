import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { unlessIoError } from "../../kit/io-errors.ts";
import { type OpenView, readOpenView } from "../../workflow/open-view.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { openFile, openFolder } from "./open-views.ts";
import { readPlain } from "./plain-file.ts";
import { inFolder } from "./safe-folder.ts";
import { engineFolder, streamPaths } from "./stream-paths.ts";
import { streamsNamedIn } from "./traced-streams.ts";

/** The tolerance in milliseconds between a view's time, which is set back a little, and its journal's. */
const slack = 100;

/** The open work of a project area as last shown, and the streams whose views are behind. */
export function readOpenViews(area: string): {
  readonly views: readonly OpenView[];
  readonly behind: readonly StreamId[];
} {
  const folder = openFolder(area);
  const names = unlessIoError(() => inFolder(folder, (at) => readdirSync(at))) ?? [];
  const read = names
    .filter((name) => name.endsWith(".json"))
    .map((name) => {
      const path = join(folder, name);
      const isShort = (statIfPlain(path)?.size ?? 0) <= mostBytes;
      const text = isShort ? unlessIoError(() => readPlain(path).toString("utf8")) : undefined;
      return { path, view: readOpenView(text ?? "") };
    });
  const views = read.flatMap(({ view }) => view ?? []);
  const spoiled = new Set(read.flatMap(({ path, view }) => (view === undefined ? [path] : [])));
  const shownAt = timeOf(folder) ?? 0;
  const streams = unlessIoError(() => streamsNamedIn(join(engineFolder(area), "journal"))) ?? [];
  const behind = streams.filter((id) => {
    const written = timeOf(streamPaths(area, id).journal) ?? 0;
    return spoiled.has(openFile(area, id)) || written > (timeOf(openFile(area, id)) ?? shownAt) + slack;
  });
  return { views, behind };
}

/** Our views are a few lines. */
const mostBytes = 1 << 20;

function timeOf(path: string): number | undefined {
  return statIfPlain(path)?.mtimeMs;
}

function statIfPlain(path: string): Stats | undefined {
  return unlessIoError(() => lstatSync(path, { throwIfNoEntry: false }));
}
