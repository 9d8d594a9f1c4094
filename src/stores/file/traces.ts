import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DeskId } from "../../engine/ports.ts";
import { faultCode } from "./faults.ts";
import { decodeName, journalOf, ownFolder } from "./places.ts";

/** Every desk that left a trace in a project area: a record, a published file, a signed head. A bot comes before a session, and each in the order of their names. */
export function desksIn(area: string): readonly DeskId[] {
  const own = ownFolder(area);
  const journals = join(own, "journal");
  const heads = namesIn(join(own, "heads"), ".jsonl");
  const bots = new Set([
    ...namesIn(journals, ".jsonl").filter((name) => isBegun(area, { kind: "bot", name })),
    ...namesIn(journals, ".published"),
    ...heads.filter((name) => !name.startsWith(signedSession)),
  ]);
  // A file that shows a session whose journal is gone stands for it: its id is not given away again.
  const sessions = new Set([
    ...namesIn(join(journals, "sessions"), ".jsonl").filter((name) => isBegun(area, { kind: "session", name })),
    ...namesIn(join(own, "sessions"), ".json"),
    ...heads.flatMap((name) =>
      name.startsWith(signedSession) && !bots.has(name) ? [name.slice(signedSession.length)] : [],
    ),
  ]);
  const named = (kind: DeskId["kind"], names: Iterable<string>): DeskId[] =>
    [...names].sort().map((name) => ({ kind, name }));
  return [...named("bot", bots), ...named("session", sessions)];
}

/** Whether a desk has a record. A journal without a byte is one that somebody is about to begin, or could not. */
export function isBegun(area: string, id: DeskId): boolean {
  return (statSync(journalOf(area, id), { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** How the file with the signed heads of a session begins. */
export const signedSession = "session-";

function namesIn(folder: string, ending: string): readonly string[] {
  try {
    return readdirSync(folder).flatMap((name) =>
      name.endsWith(ending) ? (decodeName(name.slice(0, -ending.length)) ?? []) : [],
    );
  } catch (error) {
    if (faultCode(error) === "ENOENT" || faultCode(error) === "ENOTDIR") return [];
    throw error;
  }
}
