import { closeSync, constants, fstatSync } from "node:fs";
import type { AuditedLog, DeskId } from "../../../engine/ports.ts";
import { emptyChain } from "../../chain/chain.ts";
import { nameOf } from "../../desk-key.ts";
import { doubtCheckpoint } from "../checkpoint.ts";
import { unlessFault } from "../faults.ts";
import { openHeldContent } from "../held-content.ts";
import { journalOf, placesOf } from "../places.ts";
import { openPlain } from "../plain-file.ts";
import { type Lost, openRollback } from "../rollback.ts";
import type { Believing } from "./believing.ts";
import type { Seen } from "./seen.ts";

/** Adds to what a history says of itself what this machine knows of it, and what of the things beside it is not believed. */
export async function auditBelief(
  area: string,
  id: DeskId,
  audited: AuditedLog,
  believing: Believing,
): Promise<AuditedLog> {
  const { seen } = believing;
  const lost = seen && findLost(area, id, audited, seen);
  const branch = lost?.branch !== undefined && (await believing.isCommitted()) ? lost.branch : undefined;
  const before = (seen?.disputes() ?? []).map(({ text, at }) => `${text} Found on ${at}.`);
  const now = [
    ...forgedCheckpoint(area, id, believing),
    ...(lost === undefined || branch !== undefined ? [] : [lost.text]),
  ];
  return {
    ...audited,
    doubts: [...audited.doubts, ...spoiledContent(area, id)],
    disputes: [...(audited.disputes ?? []), ...[...before, ...now].map((text) => ({ text }))],
    notes: [...(audited.notes ?? []), ...(branch === undefined ? [] : [branch])],
  };
}

/** What this machine has seen of a history and is not there any more. */
function findLost(area: string, id: DeskId, { hashes, lines, seq, head }: AuditedLog, seen: Seen): Lost | undefined {
  const asItIs: Seen = { ...seen, note: ({ head: one }) => seen.has(one) }; // an audit leaves no trace
  const rollback = openRollback(journalOf(area, id), nameOf(id), "", asItIs);
  const chain = { ...emptyChain(), seq, head };
  for (const [number, hash] of hashes) rollback.reach({ seq: number, head: hash });
  for (const { kind, hash } of lines)
    if (kind === "aside" || kind === "accepted" || kind === "void") chain.aside.add(hash);
  return rollback.look(chain);
}

/** A checkpoint that somebody else put there: nobody believes it, and somebody meant it to be. */
function forgedCheckpoint(area: string, id: DeskId, believing: Believing): readonly string[] {
  const places = placesOf(area, id);
  const fd = id.kind === "bot" ? unlessFault(() => openPlain(places.journal, constants.O_RDONLY)) : undefined;
  if (fd === undefined) return [];
  try {
    const doubt = doubtCheckpoint(places, id, believing, { fd, size: fstatSync(fd).size });
    return doubt === undefined ? [] : [doubt];
  } finally {
    closeSync(fd);
  }
}

/** Files that wait to be saved and are not what was handed in. */
function spoiledContent(area: string, id: DeskId): readonly string[] {
  return openHeldContent(area, id)
    .spoiled()
    .map(({ workflow, step }) => `what is held for ${workflow}.${step} under .waymark/held/ is not what was handed in`);
}
