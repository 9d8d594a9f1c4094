import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { openWorkplace, type Places } from "./compose.ts";
import { sessionPrefix } from "./engine/phased/session-id.ts";
import { faultCode } from "./stores/file/faults.ts";
import { readMarker } from "./stores/file/marker.ts";
import { decodeName, encodeName, ownFolder, placesOf } from "./stores/file/places.ts";
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
import { parseJson } from "./stores/projections/json-text.ts";
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
  /** What else speaks against it, in words. */
  readonly doubts: readonly string[];
  readonly events: readonly Event[];
  readonly desk: Desk;
  readonly projectArea: string;
};

/** Reads every history of a workplace again, believing nothing but the bytes; writes nothing. */
export function auditDesks(places: Places, publicKeys: readonly string[]): readonly AuditedDesk[] {
  const { areas } = openWorkplace(places);
  return areas().flatMap((area) => {
    const journals = join(ownFolder(area), "journal");
    const bots = namesIn(journals).flatMap((name) => orNothing(() => auditBot(area, name, publicKeys)));
    const sessions = namesIn(join(journals, "sessions")).flatMap((name) =>
      orNothing(() => [auditSession(area, name, publicKeys)]),
    );
    return [...bots, ...sessions];
  });
}

/** The desks that left a trace (a published state file, a session file, a signed head) and whose history is gone or cannot be read. */
export function missingHistories(places: Places): readonly string[] {
  return openWorkplace(places)
    .areas()
    .flatMap((area) => {
      const own = ownFolder(area);
      const journals = join(own, "journal");
      const bots = [...namesIn(journals, ".published"), ...namesIn(journals)].map((name) => [name, name]);
      const sessions = [...namesIn(join(own, "sessions"), ".json"), ...namesIn(join(journals, "sessions"))].map(
        (id) => [deskKey("session", id), join("sessions", id)],
      );
      const signed = namesIn(join(own, "heads")).map((key) => [key, key.replace(/^session-/, `sessions${sep}`)]);
      const files = new Map([...signed, ...sessions, ...bots] as [string, string][]);
      return [...files].flatMap(([name, journal]) => {
        const why = whyUnread(join(journals, dirname(journal), `${encodeName(basename(journal))}.jsonl`));
        return why === undefined ? [] : [`${name.replace(/^session-/, "session ")}: its history ${why}`];
      });
    });
}

/** Why nothing can be read from a journal; undefined where something can. */
function whyUnread(file: string): string | undefined {
  try {
    const fd = openSync(file, "r");
    try {
      return readSync(fd, Buffer.alloc(1)) === 0 ? "is gone" : undefined;
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    const code = faultCode(error) ?? "";
    return code === "ENOENT" ? "is gone" : `cannot be read (${code})`;
  }
}

/** What cannot be read is reported with the histories that are missing. */
function orNothing<T>(audit: () => readonly T[]): readonly T[] {
  try {
    return audit();
  } catch (error) {
    if (faultCode(error) === undefined) throw error;
    return [];
  }
}

/** Every name of a phased workflow: what is on record may bear another than the one that is asked for. */
export function namesOfWorkflow(places: Places, name: string): readonly string[] {
  const found = openWorkplace(places)
    .phased.workflows()
    .find(({ type, aliases = [] }) => type === name || aliases.includes(name));
  return found === undefined ? [name] : [name, found.type, ...(found.aliases ?? [])];
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
      ...common(area, "bot", bot, file, journal, publicKeys, earlierHistories(area, bot, journal)),
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
  const { session } = known.desk;
  const isOfAnother =
    session !== null &&
    !id.startsWith(sessionPrefix({ type: session.workflow, target: session.target, options: session.options }));
  const shown = join(".waymark", "sessions", `${encodeName(id)}.json`);
  const text = textAt(join(area, shown));
  const isCurrent = isDeepStrictEqual(parseJson(text ?? ""), parseJson(sessionFileText(id, known.desk) ?? ""));
  const verdict: FileVerdict = text === undefined ? "missing" : isCurrent ? "current" : "differs";
  const doubts = isOfAnother ? [...known.doubts, "the journal is that of another session"] : known.doubts;
  return { ...known, doubts, files: [{ file: shown, verdict }] };
}

function common(
  projectArea: string,
  kind: AuditedDesk["kind"],
  name: string,
  file: string,
  journal: VerifiedJournal,
  publicKeys: readonly string[],
  earlier: readonly string[] = [],
): Omit<AuditedDesk, "files"> {
  const counted = journal.lines.flatMap((line) => (line.kind === "counts" ? [line.record] : []));
  const events = counted.sort((a, b) => a.seq - b.seq).flatMap((record) => record.events);
  const kept = textAt(headsFile(projectArea, deskKey(kind, name)));
  const { heads, unreadable } =
    kept === undefined ? { heads: [], unreadable: 0 } : readHeads(headsFile(projectArea, deskKey(kind, name)));
  const verdicts = checkHeads(heads, journal, publicKeys);
  const isUnsigned =
    publicKeys.length > 0 && journal.records > 0 && !verdicts.some(({ verdict }) => verdict === "holds");
  return {
    name,
    kind,
    file: relative(projectArea, file),
    journal,
    heads: verdicts,
    doubts: [
      ...earlier,
      ...(unreadable === 0 ? [] : [`${unreadable} signed head(s) cannot be read`]),
      ...(isUnsigned ? ["no head of it was signed with a key that was given"] : []),
    ],
    events,
    desk: replay(events),
    projectArea,
  };
}

/** A history that was published here and is another than the one that stands there now. */
function earlierHistories(area: string, bot: string, { first }: VerifiedJournal): readonly string[] {
  return readMarker(placesOf(area, bot).marker).flatMap(({ journal, seq }) =>
    journal === first ? [] : [`an earlier history, of at least ${seq} record(s), is gone`],
  );
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
