import { closeSync, constants, fstatSync } from "node:fs";
import { join } from "node:path";
import type { AuditedLog, DeskId } from "../../../engine/ports.ts";
import { emptyChain } from "../../chain/chain.ts";
import { nameOf } from "../../desk-key.ts";
import type { AuditedDesk } from "../audit-desk.ts";
import { gone } from "../audit-log.ts";
import type { AuditedView } from "../audit-views.ts";
import { doubtCheckpoint } from "../checkpoint.ts";
import { identify } from "../disk.ts";
import { unlessFault } from "../faults.ts";
import { openHeldContent } from "../held-content.ts";
import { journalOf, placesOf, sessionPlaces } from "../places.ts";
import { openPlain } from "../plain-file.ts";
import { type Lost, openRollback } from "../rollback.ts";
import { openShown } from "../shown.ts";
import type { Believing } from "./believing.ts";
import type { Seen } from "./seen.ts";

/** Adds to what a history says of itself what this machine knows of it, and what of the things beside it is not believed. */
export async function auditBelief(
  area: string,
  id: DeskId,
  { log: audited, views }: AuditedDesk,
  believing: Believing,
): Promise<AuditedDesk> {
  const { seen } = believing;
  const lost = seen && findLost(area, id, audited, seen);
  const branch = lost?.branch !== undefined && (await believing.isInGit()) ? lost.branch : undefined;
  const before = (seen?.disputes() ?? []).map(({ text, at }) => `${text} Found on ${at}.`);
  // What was found before and no person has accepted is no other branch's, whatever the settings say now.
  const isElsewhere = audited.missing === gone && before.length === 0 && (await believing.isInGit());
  const now = [
    ...forgedCheckpoint(area, id, believing),
    ...(lost === undefined || branch !== undefined ? [] : [lost.text]),
  ];
  const log = {
    ...audited,
    doubts: [...audited.doubts, ...spoiledContent(area, id)],
    disputes: [...(audited.disputes ?? []), ...[...before, ...now].map((text) => ({ text }))],
    notes: [...(audited.notes ?? []), ...(branch === undefined ? [] : [branch])],
    ...(isElsewhere ? { elsewhere: true as const } : {}),
  };
  return { log, views: branch === undefined ? views : views.map((one) => leftByBranch(area, id, one)) };
}

/** Git has changed the history under the files that show it: one that nobody has touched since we wrote it is shown anew by the next call. */
function leftByBranch(area: string, id: DeskId, { view, verdict }: AuditedView): AuditedView {
  const path = join(area, view);
  const mark = markOf(area, id, path);
  const identity = unlessFault(() => identify(path));
  const isOurs = mark !== undefined && identity !== undefined && openShown(mark).is(identity);
  return { view, verdict: verdict === "differs" && isOurs ? "behind" : verdict };
}

/** Where it is remembered which version of a view was the last of ours. */
function markOf(area: string, id: DeskId, path: string): string | undefined {
  if (id.kind === "session") return sessionPlaces(area, id.name).shown;
  const { state, log, shown } = placesOf(area, id);
  return path === state ? shown.state : path === log ? shown.log : undefined;
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
