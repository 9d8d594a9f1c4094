import type { AuditedLog, EventLog } from "../engine/ports/event-log.ts";
import type { Forgetting, Tombstone } from "../engine/ports/forgetting.ts";
import type { ProjectIdentity } from "../engine/ports/project-identity.ts";
import type { SignedHead, SignedHeads } from "../engine/ports/signed-heads.ts";
import type { Views, ViewVerdict } from "../engine/ports/views.ts";
import { countText } from "../kit/count-text.ts";
import { defined } from "../kit/defined.ts";
import type { Event } from "../workflow/events.ts";
import { isIdOf } from "../workflow/session-id.ts";
import { type StreamId, streamName } from "../workflow/stream-id.ts";
import type { StreamSnapshot } from "../workflow/stream-snapshot.ts";
import { type AuditedApproval, auditApprovals, type KnownApprovers } from "./audit-approvals.ts";
import { auditOrigin } from "./audit-origin.ts";
import { type AuditedPins, auditPin } from "./audit-pins.ts";
import { type AuditedResult, auditResults, type KnownRunners } from "./audit-results.ts";
import { type ForkedRecords, forkedRecordsOf } from "./forked-records.ts";
import { unseenRemark, withSignedAcceptances } from "./unseen-acceptances.ts";
import { checkHeads, type HeadVerdict, signHead } from "./verify-heads.ts";

/** The histories of one project area and what belongs to them. */
export type AuditedArea = {
  readonly area: string;
  readonly log: EventLog;
  readonly views: Views;
  readonly heads: SignedHeads;
  /** The project that the definitions name. */
  readonly identity?: () => Promise<ProjectIdentity>;
  /** The pinned definition copies of its sessions. */
  readonly pins?: AuditedPins;
  readonly forgetting?: Pick<Forgetting, "tombstones">;
};

/** The history of one stream, read again from its first record, with its projected files. */
export type AuditedStream = StreamId & {
  readonly journal: AuditedLog;
  readonly files: readonly { readonly file: string; readonly verdict: ViewVerdict }[];
  readonly heads: readonly HeadVerdict[];
  /** Other problems, in words. */
  readonly doubts: readonly string[];
  /** The proven approvals; empty if no keys were given. */
  readonly approvals: readonly AuditedApproval[];
  /** The results of checks that runners signed. */
  readonly results: readonly AuditedResult[];
  /** The state derived from its records. */
  readonly stream: StreamSnapshot;
  readonly area: AuditedArea;
};

/** The result of reading every history again. */
export type Audit = {
  readonly streams: readonly AuditedStream[];
  /** Streams that left a trace but whose history is missing or unreadable. */
  readonly missing: readonly MissingHistory[];
};

/** A stream without a history, and the message about it. */
export type MissingHistory = {
  readonly id: StreamId;
  readonly problem: string;
  readonly journal: AuditedLog;
  readonly area: AuditedArea;
};

/** The people and runners whose signatures can be verified. */
export type KnownSigners = { readonly approvers: KnownApprovers; readonly runners: KnownRunners };

/** Reads every history again, trusting only what is stored, and writes nothing; `signers` are those whose signatures are verified. */
export async function auditStreams(
  areas: readonly AuditedArea[],
  publicKeys: readonly string[],
  signers?: KnownSigners,
): Promise<Audit> {
  const streams: AuditedStream[] = [];
  const missing: MissingHistory[] = [];
  for (const area of areas)
    for (const id of await area.log.streams()) {
      const audited = await auditStreamById(area, id, publicKeys, signers);
      if ("problem" in audited) missing.push(audited);
      else streams.push(audited);
    }
  return { streams: markCopies(streams), missing };
}

/** The histories that a person has erased as a whole, of one run or all. */
export async function listForgotten(areas: readonly AuditedArea[], run?: string): Promise<readonly Tombstone[]> {
  const found = await Promise.all(areas.map(async ({ forgetting }) => (await forgetting?.tombstones()) ?? []));
  return found.flat().filter(({ id }) => (run ?? id.run) === id.run);
}

/** Marks histories that begin with the same record as copies, unless one names the other as its origin. */
function markCopies(streams: readonly AuditedStream[]): readonly AuditedStream[] {
  const begun = new Map<string, AuditedStream[]>();
  for (const stream of streams) {
    const { first, begunAs } = stream.journal;
    if (first !== null && begunAs === undefined) begun.set(first, [...(begun.get(first) ?? []), stream]);
  }
  return streams.map((stream) => {
    const { first, begunAs } = stream.journal;
    const others = begunAs === undefined ? (begun.get(first ?? "") ?? []).filter((one) => one !== stream) : [];
    if (others.length === 0) return stream;
    const named = others.map((one) => `${streamName(one)} (${one.journal.place})`).join(", ");
    const doubt = `it begins with the same record as ${named}: one of them is a copy; remove it`;
    return { ...stream, doubts: [...stream.doubts, doubt] };
  });
}

/** Reads one history again; returns a message if it is missing. */
export async function auditStreamById(
  area: AuditedArea,
  id: StreamId,
  publicKeys: readonly string[],
  signers?: KnownSigners,
): Promise<AuditedStream | MissingHistory> {
  const read = await area.log.audit(id);
  const journal = area.pins === undefined ? read : await auditPin(id, read, area.area, area.pins);
  if (journal.missing === undefined) return auditStream(area, id, journal, publicKeys, signers);
  return { id, problem: `${streamName(id)}: ${journal.missing}`, journal, area };
}

/** Streams the events of an audited history that count, oldest first; the events of all histories would not fit into memory. */
export async function countedEvents({
  kind,
  name,
  run,
  area,
}: StreamId & Pick<AuditedStream, "area">): Promise<readonly Event[]> {
  const all: Event[] = [];
  for await (const { events } of area.log.records({ kind, name, ...defined({ run }) }))
    for (const event of events) all.push(event);
  return all;
}

/** Signs the head of every history with the owner's key and stores the signature beside it. */
export async function signStreams(
  streams: readonly AuditedStream[],
  privateKey: string,
  now: Date,
): Promise<readonly SignedHead[]> {
  const signed: SignedHead[] = [];
  for (const { kind, name, run, journal, area } of streams) {
    const head = signHead(journal, privateKey, now);
    if (head === undefined) continue;
    await area.heads.keep({ kind, name, ...defined({ run }) }, head);
    signed.push(head);
  }
  return signed;
}

/** Lists what keeps a history from being whole, the first break first; a stale or missing file is no problem, since the next call rewrites it. */
export function listProblems(audited: AuditedStream): readonly string[] {
  const { journal, files, heads, doubts } = audited;
  return [
    ...journal.breaks.map(
      ({ line, offset, seq, reason }) => `${journal.place}, line ${line} (byte ${offset}), record ${seq}: ${reason}`,
    ),
    ...forkedRecordsOf(journal)
      .filter(({ accepted }) => !accepted)
      .map((one) => `${forkedInWords(journal, one)}${unseenRemark(journal, one.hash)}`),
    ...(journal.disputes ?? []).map(
      ({ text, hash }) =>
        `${text.replace(/\.$/, "")}${unseenRemark(journal, hash)} (to accept it, run waymark verify --accept)`,
    ),
    ...files.filter(({ verdict }) => verdict === "differs").map(({ file }) => `${file} differs from the history`),
    ...heads
      .filter(({ verdict }) => verdict === "other history" || verdict === "bad signature")
      .map(
        ({ signed, verdict }) =>
          `the head signed on ${signed.at.slice(0, 10)} ${verdict === "other history" ? "belongs to another history" : "has a bad signature"}`,
      ),
    ...doubts,
  ].map((problem) => `${audited.kind === "bot" ? streamName(audited) : audited.name}: ${problem}`);
}

/** Describes a forked record. */
export function forkedInWords({ place }: AuditedLog, { line, offset, seq, happened }: ForkedRecords): string {
  return `${place}, line ${line} (byte ${offset}), record ${seq}: set aside, kept and not counted: ${happened.join("; ")}`;
}

async function auditStream(
  area: AuditedArea,
  id: StreamId,
  read: AuditedLog,
  publicKeys: readonly string[],
  signers: KnownSigners | undefined,
): Promise<AuditedStream> {
  const { stream } = read;
  const subject = { ...id, first: read.first ?? "" };
  const isSigned = signers !== undefined && stream.provenCount > 0;
  const signed = isSigned ? await countedEvents({ ...id, area }) : [];
  const { approvers, runners } = signers ?? { approvers: [], runners: [] };
  const { approvals, problems, notes } = auditApprovals(signed, subject, approvers);
  const ran = auditResults(signed, subject, runners, approvers);
  // Unreadable heads may be the ones that contradict the history.
  const kept = await area.heads
    .read(id)
    .catch((error: Error) => ({ heads: [], unreadable: 0, problem: error.message }));
  const heads = checkHeads(kept.heads, read, publicKeys);
  const origin = auditOrigin(read, await area.identity?.());
  const noted = {
    ...read,
    notes: [...(read.notes ?? []), ...notes, ...origin.notes],
    disputes: [...(read.disputes ?? []), ...origin.disputes],
  };
  const journal = withSignedAcceptances(noted, heads);
  const isUnsigned = publicKeys.length > 0 && journal.records > 0 && !heads.some(({ verdict }) => verdict === "holds");
  return {
    ...id,
    journal,
    heads,
    files: (await area.views.audit(id)).map(({ view: file, verdict }) => ({ file, verdict })),
    doubts: [
      ...journal.doubts,
      ...("problem" in kept ? [`its signed heads cannot be read (${kept.problem})`] : []),
      ...(kept.unreadable === 0 ? [] : [`${countText(kept.unreadable, "signed head")} cannot be read`]),
      ...(isUnsigned ? ["none of its heads was signed with a given key"] : []),
      ...(isOfAnother(id, stream) ? ["the journal belongs to another session"] : []),
      ...origin.doubts,
      ...problems,
      ...ran.problems,
    ],
    approvals,
    results: ran.results,
    stream,
    area,
  };
}

/** A session's id says what it is about, so a history about something else was copied here. */
function isOfAnother({ name }: StreamId, { session }: StreamSnapshot): boolean {
  return session !== null && !isIdOf(name, session);
}
