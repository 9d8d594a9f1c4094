import type { AuditedLog } from "../engine/ports.ts";
import type { HeadVerdict } from "./signed-heads.ts";

/** What is to be said where an acceptance is on record that was not given on this machine; nothing where there is none. */
export function unseenWords({ unseen }: AuditedLog, hash: string | undefined): string {
  return hash !== undefined && unseen?.has(hash) === true
    ? ", and that it was accepted is on record but was not said on this machine"
    : "";
}

/** Whether something of a history is said to be accepted, and nobody here knows of it. */
export function hasUnseen({ unseen = new Map(), lines, disputes = [] }: AuditedLog): boolean {
  const open = [
    ...lines.flatMap(({ kind, hash }) => (kind === "aside" ? [hash] : [])),
    ...disputes.map(({ hash }) => hash),
  ];
  return open.some((hash) => hash !== undefined && unseen.has(hash));
}

/** A history in which whoever signed a head vouches for the acceptances that stand before it: they are believed with it. */
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
