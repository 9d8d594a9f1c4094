import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { openWorkplace, type Places } from "./compose.ts";
import { decodeName, encodeName, ownFolder } from "./stores/file/places.ts";
import { sessionFileText } from "./stores/file/session-file.ts";
import {
  checkHeads,
  type HeadVerdict,
  headsFile,
  keepHead,
  newHeadKeys,
  readHeads,
  type SignedHead,
  signHead,
} from "./stores/file/signed-heads.ts";
import { type FileVerdict, verifyArea } from "./stores/file/verify-area.ts";
import { type VerifiedJournal, verifyJournal } from "./stores/file/verify-journal.ts";
import type { Desk } from "./workflow/desk.ts";
import type { Event } from "./workflow/events.ts";
import { replay } from "./workflow/replay.ts";

export { type FileVerdict, type HeadVerdict, newHeadKeys, type SignedHead, type VerifiedJournal };

/** The history of one desk, read again from its first byte, and the files that show it. */
export type AuditedDesk = {
  readonly name: string;
  readonly kind: "bot" | "session";
  /** The journal, relative to the project area. */
  readonly file: string;
  readonly journal: VerifiedJournal;
  readonly files: readonly { readonly file: string; readonly verdict: FileVerdict }[];
  readonly heads: readonly HeadVerdict[];
  readonly events: readonly Event[];
  readonly desk: Desk;
  readonly projectArea: string;
};

/** Reads every history of a workplace again, believing nothing but the bytes; writes nothing. */
export function auditDesks(places: Places, publicKeys: readonly string[]): readonly AuditedDesk[] {
  const { areas } = openWorkplace(places);
  return areas().flatMap((area) => {
    const journals = join(ownFolder(area), "journal");
    const bots = namesIn(journals).flatMap((name) => auditBot(area, name, publicKeys));
    const sessions = namesIn(join(journals, "sessions")).map((name) => auditSession(area, name, publicKeys));
    return [...bots, ...sessions];
  });
}

/** The desks that left a trace (a published state file, a signed head) and whose history is gone. */
export function missingHistories(places: Places): readonly string[] {
  return openWorkplace(places)
    .areas()
    .flatMap((area) => {
      const own = ownFolder(area);
      const there = new Set([
        ...namesIn(join(own, "journal")),
        ...namesIn(join(own, "journal", "sessions")).map((id) => deskKey("session", id)),
      ]);
      const traces = [...namesIn(join(own, "journal"), ".published"), ...namesIn(join(own, "heads"))];
      return [...new Set(traces)].filter((name) => !there.has(name));
    });
}

/** Signs the end of every history with the owner's key. */
export function signDesks(desks: readonly AuditedDesk[], privateKey: string, now: Date): readonly SignedHead[] {
  return desks.flatMap(({ journal, projectArea, name, kind }) => {
    const head = signHead(journal, privateKey, now);
    if (head === undefined) return [];
    keepHead(headsFile(projectArea, deskKey(kind, name)), head);
    return [head];
  });
}

function auditBot(area: string, bot: string, publicKeys: readonly string[]): AuditedDesk[] {
  const { journal, file, state, log } = verifyArea(area, bot);
  if (journal === undefined) return [];
  return [
    {
      ...common(area, "bot", bot, file, journal, publicKeys),
      files: [
        { file: "workflow_state.json", verdict: state },
        { file: "activity_log.json", verdict: log },
      ],
    },
  ];
}

function auditSession(area: string, id: string, publicKeys: readonly string[]): AuditedDesk {
  const file = join(ownFolder(area), "journal", "sessions", `${encodeName(id)}.jsonl`);
  const known = common(area, "session", id, file, verifyJournal(file), publicKeys);
  const shown = join(".waymark", "sessions", `${encodeName(id)}.json`);
  const text = textAt(join(area, shown));
  const verdict: FileVerdict =
    text === undefined ? "missing" : text === sessionFileText(id, known.desk) ? "current" : "differs";
  return { ...known, files: [{ file: shown, verdict }] };
}

function common(
  projectArea: string,
  kind: AuditedDesk["kind"],
  name: string,
  file: string,
  journal: VerifiedJournal,
  publicKeys: readonly string[],
): Omit<AuditedDesk, "files"> {
  const counted = journal.lines.flatMap((line) => (line.kind === "counts" ? [line.record] : []));
  const events = counted.sort((a, b) => a.seq - b.seq).flatMap((record) => record.events);
  const kept = textAt(headsFile(projectArea, deskKey(kind, name)));
  const heads = kept === undefined ? [] : readHeads(headsFile(projectArea, deskKey(kind, name)));
  return {
    name,
    kind,
    file: relative(projectArea, file),
    journal,
    heads: checkHeads(heads, journal, publicKeys),
    events,
    desk: replay(events),
    projectArea,
  };
}

function deskKey(kind: AuditedDesk["kind"], name: string): string {
  return kind === "bot" ? name : `session-${name}`;
}

function namesIn(folder: string, ending = ".jsonl"): string[] {
  try {
    return readdirSync(folder)
      .sort()
      .flatMap((name) => (name.endsWith(ending) ? (decodeName(name.slice(0, -ending.length)) ?? []) : []));
  } catch {
    return [];
  }
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
