import type { AuditedLog } from "../engine/ports/event-log.ts";
import type { HeadVerdict } from "./verify-heads.ts";

/** The remark for a recorded acceptance that was not given on this machine; empty if there is none. */
export function unseenRemark({ unseen }: AuditedLog, hash: string | undefined): string {
  return hash !== undefined && unseen?.has(hash) === true
    ? "; its acceptance is on record but was not given on this machine"
    : "";
}

/** Tells that a history records an acceptance this machine does not know. */
export function hasUnseenAcceptance({ unseen = new Map(), lines, disputes = [] }: AuditedLog): boolean {
  const open = [
    ...lines.flatMap(({ kind, hash }) => (kind === "aside" ? [hash] : [])),
    ...disputes.map(({ hash }) => hash),
  ];
  return open.some((hash) => hash !== undefined && unseen.has(hash));
}

/** The history with the acceptances that a trusted signed head vouches for. */
export function withSignedAcceptances(journal: AuditedLog, heads: readonly HeadVerdict[]): AuditedLog {
  const { unseen = new Map<string, number>(), disputes, lines, accepted = [] } = journal;
  if (unseen.size === 0) return journal;
  const last = heads.reduce((seq, { signed, verdict }) => (verdict === "holds" ? Math.max(seq, signed.seq) : seq), 0);
  const vouched = new Set([...unseen].flatMap(([hash, seq]) => (seq <= last ? [hash] : [])));
  return {
    ...journal,
    accepted: new Set([...accepted, ...vouched]),
    unseen: new Map([...unseen].filter(([hash]) => !vouched.has(hash))),
    lines: lines.map((one) => (one.kind === "aside" && vouched.has(one.hash) ? { ...one, kind: "accepted" } : one)),
    ...(disputes === undefined
      ? {}
      : { disputes: disputes.filter(({ hash }) => hash === undefined || !vouched.has(hash)) }),
  };
}
