import type { AuditedLog, DeskId, EventLog, Views, ViewVerdict } from "../engine/ports.ts";
import { isIdOf } from "../evidence/session-id.ts";
import type { Desk } from "../workflow/desk.ts";
import type { Event } from "../workflow/events.ts";
import { type AuditedApproval, auditApprovals, type KnownApprovers } from "./approvals.ts";
import { deskName } from "./desk-name.ts";
import { type AuditedPins, auditPin } from "./pins.ts";
import type { Heads, SignedHead } from "./ports.ts";
import { type SetAside, setAsideOf } from "./set-aside.ts";
import { checkHeads, type HeadVerdict, signHead } from "./signed-heads.ts";
import { unseenWords, withSignedAcceptances } from "./unseen.ts";

/** The histories of one project area, and what goes with them. */
export type AuditedArea = {
  readonly area: string;
  readonly log: EventLog;
  readonly views: Views;
  readonly heads: Heads;
  /** The copies of definitions that its sessions keep. */
  readonly pins?: AuditedPins;
};

/** The history of one desk, read again from its first record, and the files that show it. */
export type AuditedDesk = DeskId & {
  readonly journal: AuditedLog;
  readonly files: readonly { readonly file: string; readonly verdict: ViewVerdict }[];
  readonly heads: readonly HeadVerdict[];
  /** What else speaks against it, in words. */
  readonly doubts: readonly string[];
  /** What people's keys prove of it, or are said to; nothing where nobody's keys were asked for. */
  readonly approvals: readonly AuditedApproval[];
  /** What its records add up to. */
  readonly desk: Desk;
  readonly area: AuditedArea;
};

/** What reading every history again came to. */
export type Audit = {
  readonly desks: readonly AuditedDesk[];
  /** The desks that left a trace and whose history is gone or cannot be read. */
  readonly missing: readonly Missing[];
};

/** A desk without a history, and what is to be said of it. */
export type Missing = {
  readonly id: DeskId;
  readonly problem: string;
  readonly journal: AuditedLog;
  readonly area: AuditedArea;
};

/** Reads every history again, believing nothing but what is stored; writes nothing. `approvers` are those whose approvals are to be proved. */
export async function auditDesks(
  areas: readonly AuditedArea[],
  publicKeys: readonly string[],
  approvers?: KnownApprovers,
): Promise<Audit> {
  const desks: AuditedDesk[] = [];
  const missing: Missing[] = [];
  for (const area of areas)
    for (const id of await area.log.desks()) {
      const audited = await auditOne(area, id, publicKeys, approvers);
      if ("problem" in audited) missing.push(audited);
      else desks.push(audited);
    }
  return { desks: withCopies(desks), missing };
}

/** Says of histories that begin with the same record, and none of which was begun elsewhere by name, that all but one are copies. */
function withCopies(desks: readonly AuditedDesk[]): readonly AuditedDesk[] {
  const begun = new Map<string, AuditedDesk[]>();
  for (const desk of desks) {
    const { first, begunAs } = desk.journal;
    if (first !== null && begunAs === undefined) begun.set(first, [...(begun.get(first) ?? []), desk]);
  }
  return desks.map((desk) => {
    const { first, begunAs } = desk.journal;
    const others = begunAs === undefined ? (begun.get(first ?? "") ?? []).filter((one) => one !== desk) : [];
    if (others.length === 0) return desk;
    const named = others.map((one) => `${deskName(one)} (${one.journal.place})`).join(", ");
    const doubt = `it begins with the very record that ${named} begins with: one of them is a copy, to be removed`;
    return { ...desk, doubts: [...desk.doubts, doubt] };
  });
}

/** Reads one history again; what is to be said of it, where it is gone. */
export async function auditOne(
  area: AuditedArea,
  id: DeskId,
  publicKeys: readonly string[],
  approvers?: KnownApprovers,
): Promise<AuditedDesk | Missing> {
  const read = await area.log.audit(id);
  const journal = area.pins === undefined ? read : await auditPin(id, read, area.area, area.pins);
  if (journal.missing === undefined) return auditDesk(area, id, journal, publicKeys, approvers);
  return { id, problem: `${deskName(id)}: ${journal.missing}`, journal, area };
}

/** The events of an audited history that count, oldest first. Read when they are asked for: those of all histories do not fit into memory. */
export async function eventsOf({
  kind,
  name,
  run,
  area,
}: DeskId & Pick<AuditedDesk, "area">): Promise<readonly Event[]> {
  const all: Event[] = [];
  for await (const { events } of area.log.records({ kind, name, ...(run === undefined ? {} : { run }) }))
    for (const event of events) all.push(event);
  return all;
}

/** Signs the end of every history with the owner's key, and keeps what was signed beside it. */
export async function signDesks(
  desks: readonly AuditedDesk[],
  privateKey: string,
  now: Date,
): Promise<readonly SignedHead[]> {
  const signed: SignedHead[] = [];
  for (const { kind, name, run, journal, area } of desks) {
    const head = signHead(journal, privateKey, now);
    if (head === undefined) continue;
    await area.heads.keep({ kind, name, ...(run === undefined ? {} : { run }) }, head);
    signed.push(head);
  }
  return signed;
}

/** What keeps a history from being whole; the first break first. A file that is behind or missing is shown anew by the next call. */
export function problemsOf(audited: AuditedDesk): readonly string[] {
  const { journal, files, heads, doubts } = audited;
  return [
    ...journal.breaks.map(
      ({ line, offset, seq, reason }) => `${journal.place}, line ${line} (byte ${offset}), record ${seq}: ${reason}`,
    ),
    ...setAsideOf(journal)
      .filter(({ accepted }) => !accepted)
      .map((one) => `${asideInWords(journal, one)}${unseenWords(journal, one.hash)}`),
    ...files
      .filter(({ verdict }) => verdict === "differs")
      .map(({ file }) => `${file} says something else than the history`),
    ...heads
      .filter(({ verdict }) => verdict === "other history" || verdict === "bad signature")
      .map(
        ({ signed, verdict }) =>
          `the head signed on ${signed.at.slice(0, 10)} is of ${verdict === "other history" ? "another history" : "no known hand (bad signature)"}`,
      ),
    ...doubts,
    ...(journal.disputes ?? []).map(
      ({ text, hash }) => `${text.replace(/\.$/, "")}${unseenWords(journal, hash)} (a person can accept it: --accept)`,
    ),
  ].map((problem) => `${audited.kind === "bot" ? deskName(audited) : audited.name}: ${problem}`);
}

/** A record that was set aside, in words. */
export function asideInWords({ place }: AuditedLog, { line, offset, seq, happened }: SetAside): string {
  return `${place}, line ${line} (byte ${offset}), record ${seq}: set aside, kept and not counted: ${happened.join("; ")}`;
}

async function auditDesk(
  area: AuditedArea,
  id: DeskId,
  read: AuditedLog,
  publicKeys: readonly string[],
  approvers: KnownApprovers | undefined,
): Promise<AuditedDesk> {
  const { desk } = read;
  const { approvals, problems, notes } =
    approvers === undefined || desk.proven === 0
      ? { approvals: [], problems: [], notes: [] }
      : auditApprovals(await eventsOf({ ...id, area }), { ...id, project: read.first ?? "" }, approvers);
  // Heads that are there and cannot be read may be the ones that speak against it.
  const kept = await area.heads
    .read(id)
    .catch((error: Error) => ({ heads: [], unreadable: 0, problem: error.message }));
  const heads = checkHeads(kept.heads, read, publicKeys);
  const noted = notes.length === 0 ? read : { ...read, notes: [...(read.notes ?? []), ...notes] };
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
      ...(kept.unreadable === 0 ? [] : [`${kept.unreadable} signed head(s) cannot be read`]),
      ...(isUnsigned ? ["no head of it was signed with a key that was given"] : []),
      ...(isOfAnother(id, desk) ? ["the journal is that of another session"] : []),
      ...problems,
    ],
    approvals,
    desk,
    area,
  };
}

/** A session's id says what it is about: a history that is about something else was put there. */
function isOfAnother({ kind, name }: DeskId, { session }: Desk): boolean {
  return kind === "session" && session !== null && !isIdOf(name, session);
}
