import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ioErrorCode } from "../../kit/io-errors.ts";
import { runName } from "../../workflow/run-name.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { readMarker } from "./published-marker.ts";
import { inFolder } from "./safe-folder.ts";
import { decodeName, encodeName, engineFolder, runsFolder, signedSession, streamPaths } from "./stream-paths.ts";
import { openMachineState } from "./trust/machine-state.ts";

/**
 * Every stream that left a trace in a project area: a record, a published file or a signed head. Sorted by name: bots, then their runs,
 * then sessions.
 */
export function streamsIn(area: string, kind?: StreamId["kind"]): readonly StreamId[] {
  return [...(kind === "session" ? [] : botStreams(area)), ...(kind === "bot" ? [] : sessionStreams(area))];
}

/** The streams with files in a folder laid out like the journals'. */
export function streamsNamedIn(folder: string): readonly StreamId[] {
  const bots = namesIn(folder, ".jsonl").map((name): StreamId => ({ kind: "bot", name }));
  const runs = namesIn(join(folder, runsFolder), "").flatMap((name) =>
    namesIn(join(folder, runsFolder, encodeName(name)), ".jsonl").map((run): StreamId => ({ kind: "bot", name, run })),
  );
  const sessions = namesIn(join(folder, "sessions"), ".jsonl").map((name): StreamId => ({ kind: "session", name }));
  return [...bots, ...runs, ...sessions];
}

function botStreams(area: string): readonly StreamId[] {
  const journals = join(engineFolder(area), "journal");
  const heads = join(engineFolder(area), "heads");
  const traced = (folder: readonly string[], idOf: (name: string) => StreamId): readonly string[] => [
    ...namesIn(join(journals, ...folder), ".jsonl").filter((name) => isBegun(area, idOf(name))),
    ...namesIn(join(journals, ...folder), ".published").filter((name) => wasPublished(area, idOf(name))),
    ...namesIn(join(heads, ...folder), ".jsonl").filter((name) => folder.length > 0 || !name.startsWith(signedSession)),
  ];
  const bots = sorted(traced([], (name) => ({ kind: "bot", name })));
  const withRuns = [journals, heads].flatMap((folder) => namesIn(join(folder, runsFolder), ""));
  const runs = sorted(withRuns).flatMap((name) =>
    // A file with a foreign name is no run of ours.
    sorted(traced([runsFolder, encodeName(name)], (run) => ({ kind: "bot", name, run })))
      .filter((run) => runName(run) === run)
      .map((run) => ({ name, run })),
  );
  return [...bots.map((name) => ({ name })), ...runs].map((stream) => ({ kind: "bot", ...stream }));
}

function sessionStreams(area: string): readonly StreamId[] {
  const own = engineFolder(area);
  const heads = namesIn(join(own, "heads"), ".jsonl");
  // A view whose journal is gone still reserves its session id.
  const sessions = [
    ...namesIn(join(own, "journal", "sessions"), ".jsonl").filter((name) => isBegun(area, { kind: "session", name })),
    ...namesIn(join(own, "sessions"), ".json"),
    ...heads.flatMap((name) =>
      name.startsWith(signedSession) && !isBegun(area, { kind: "bot", name }) ? [name.slice(signedSession.length)] : [],
    ),
  ];
  return sorted(sessions).map((name) => ({ kind: "session", name }));
}

/** Tells if this machine published a history here; a marker that git brought is no trace. */
function wasPublished(area: string, id: StreamId): boolean {
  return isBegun(area, id) || readMarker(streamPaths(area, id), openMachineState()).length > 0;
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}

/** Tells if a stream has a record; an empty journal is just being created. */
export function isBegun(area: string, id: StreamId): boolean {
  return (lstatSync(streamPaths(area, id).journal, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function namesIn(folder: string, ending: string): readonly string[] {
  try {
    return inFolder(folder, (at) => readdirSync(at)).flatMap((name) =>
      name.endsWith(ending) ? (decodeName(name.slice(0, name.length - ending.length)) ?? []) : [],
    );
  } catch (error) {
    if (ioErrorCode(error) === "ENOENT" || ioErrorCode(error) === "ENOTDIR") return [];
    throw error;
  }
}
