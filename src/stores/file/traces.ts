import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { DeskId } from "../../engine/ports.ts";
import { runName } from "../../evidence/run-name.ts";
import { faultCode } from "./faults.ts";
import { decodeName, encodeName, journalOf, ownFolder, runsFolder } from "./places.ts";
import { inFolder } from "./way.ts";

/** Every desk that left a trace in a project area: a record, a published file, a signed head. A bot comes before its runs, these before a session, and each in the order of their names. */
export function desksIn(area: string, kind?: DeskId["kind"]): readonly DeskId[] {
  return [...(kind === "session" ? [] : botDesks(area)), ...(kind === "bot" ? [] : sessionDesks(area))];
}

/** The desks whose files stand in a folder that is laid out as the one for journals. */
export function desksNamedIn(folder: string): readonly DeskId[] {
  const bots = namesIn(folder, ".jsonl").map((name): DeskId => ({ kind: "bot", name }));
  const runs = namesIn(join(folder, runsFolder), "").flatMap((name) =>
    namesIn(join(folder, runsFolder, encodeName(name)), ".jsonl").map((run): DeskId => ({ kind: "bot", name, run })),
  );
  const sessions = namesIn(join(folder, "sessions"), ".jsonl").map((name): DeskId => ({ kind: "session", name }));
  return [...bots, ...runs, ...sessions];
}

function botDesks(area: string): readonly DeskId[] {
  const journals = join(ownFolder(area), "journal");
  const heads = join(ownFolder(area), "heads");
  const traced = (folder: readonly string[], idOf: (name: string) => DeskId): readonly string[] => [
    ...namesIn(join(journals, ...folder), ".jsonl").filter((name) => isBegun(area, idOf(name))),
    ...namesIn(join(journals, ...folder), ".published"),
    ...namesIn(join(heads, ...folder), ".jsonl").filter((name) => folder.length > 0 || !name.startsWith(signedSession)),
  ];
  const bots = sorted(traced([], (name) => ({ kind: "bot", name })));
  const withRuns = [journals, heads].flatMap((folder) => namesIn(join(folder, runsFolder), ""));
  const runs = sorted(withRuns).flatMap((name) =>
    // A file that somebody put there by another name is no run of ours.
    sorted(traced([runsFolder, encodeName(name)], (run) => ({ kind: "bot", name, run })))
      .filter((run) => runName(run) === run)
      .map((run) => ({ name, run })),
  );
  return [...bots.map((name) => ({ name })), ...runs].map((desk) => ({ kind: "bot", ...desk }));
}

function sessionDesks(area: string): readonly DeskId[] {
  const own = ownFolder(area);
  const heads = namesIn(join(own, "heads"), ".jsonl");
  // A file that shows a session whose journal is gone stands for it: its id is not given away again.
  const sessions = [
    ...namesIn(join(own, "journal", "sessions"), ".jsonl").filter((name) => isBegun(area, { kind: "session", name })),
    ...namesIn(join(own, "sessions"), ".json"),
    ...heads.flatMap((name) =>
      name.startsWith(signedSession) && !isBegun(area, { kind: "bot", name }) ? [name.slice(signedSession.length)] : [],
    ),
  ];
  return sorted(sessions).map((name) => ({ kind: "session", name }));
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}

/** Whether a desk has a record. A journal without a byte is one that somebody is about to begin, or could not. */
export function isBegun(area: string, id: DeskId): boolean {
  return (lstatSync(journalOf(area, id), { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** How the file with the signed heads of a session begins. */
export const signedSession = "session-";

function namesIn(folder: string, ending: string): readonly string[] {
  try {
    return inFolder(folder, (at) => readdirSync(at)).flatMap((name) =>
      name.endsWith(ending) ? (decodeName(name.slice(0, name.length - ending.length)) ?? []) : [],
    );
  } catch (error) {
    if (faultCode(error) === "ENOENT" || faultCode(error) === "ENOTDIR") return [];
    throw error;
  }
}
