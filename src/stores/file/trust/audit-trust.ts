import { closeSync, constants, fstatSync } from "node:fs";
import { join } from "node:path";
import type { AuditedLog } from "../../../engine/ports/event-log.ts";
import { unlessIoError } from "../../../kit/io-errors.ts";
import { type StreamId, streamName } from "../../../workflow/stream-id.ts";
import { emptyChain } from "../../chain/journal-chain.ts";
import { identityAt } from "../atomic-file.ts";
import { historyGone } from "../audit-journal.ts";
import type { StreamAudit } from "../audit-stream.ts";
import type { AuditedView } from "../audit-views.ts";
import { doubtCheckpoint } from "../checkpoint.ts";
import { type LostRecords, openRollbackDetector } from "../detect-rollback.ts";
import { openHeldContent } from "../held-content.ts";
import { openLastWritten } from "../last-written.ts";
import { openPlain } from "../plain-file.ts";
import { streamPaths, viewPaths } from "../stream-paths.ts";
import type { SeenHistory } from "./seen-history.ts";
import type { TrustBasis } from "./trust-basis.ts";

/** Adds to an audited history what this machine knows about it, and which files beside it are not trusted. */
export async function auditTrust(
  area: string,
  id: StreamId,
  { log: audited, views }: StreamAudit,
  believing: TrustBasis,
): Promise<StreamAudit> {
  const { seen } = believing;
  const lost = seen && findLost(area, id, audited, seen);
  const branch = lost?.branch !== undefined && (await believing.isInGit()) ? lost.branch : undefined;
  if (seen !== undefined && lost === undefined) remember(audited, seen);
  const before = (seen?.disputes() ?? []).map(({ text, at }) => `${text} Found on ${at}.`);
  // An earlier finding that was not accepted is never another branch's, regardless of the settings.
  const isElsewhere = audited.missing === historyGone && before.length === 0 && (await believing.isInGit());
  const now = [
    ...forgedCheckpoint(area, id, believing),
    ...(lost === undefined || branch !== undefined ? [] : [lost.text]),
  ];
  const log = {
    ...audited,
    doubts: [...audited.doubts, ...changedHeldContent(area, id)],
    disputes: [...(audited.disputes ?? []), ...[...before, ...now].map((text) => ({ text }))],
    notes: [...(audited.notes ?? []), ...(branch === undefined ? [] : [branch])],
    ...(isElsewhere ? { elsewhere: true as const } : {}),
  };
  return { log, views: branch === undefined ? views : views.map((one) => staleByBranch(area, id, one)) };
}

/** If git changed the history under our files, an untouched one is rewritten by the next call. */
function staleByBranch(area: string, id: StreamId, { view, verdict }: AuditedView): AuditedView {
  const path = join(area, view);
  const mark = viewPaths(area, id).find(({ file }) => file === path)?.shown;
  const identity = unlessIoError(() => identityAt(path));
  const isOurs = mark !== undefined && identity !== undefined && openLastWritten(mark).is(identity);
  return { view, verdict: verdict === "differs" && isOurs ? "behind" : verdict };
}

/** Finds records this machine has seen that are missing now. */
function findLost(
  area: string,
  id: StreamId,
  { hashes, lines, seq, head }: AuditedLog,
  seen: SeenHistory,
): LostRecords | undefined {
  const asItIs: SeenHistory = { ...seen, note: ({ head: one }) => seen.has(one) }; // a rolled back history is not learned
  const rollback = openRollbackDetector(streamPaths(area, id).journal, streamName(id), "", asItIs);
  const chain = { ...emptyChain(), seq, head };
  for (const [number, hash] of hashes) rollback.reach({ seq: number, head: hash });
  for (const { kind, hash } of lines)
    if (kind === "aside" || kind === "accepted" || kind === "void") chain.forked.add(hash);
  return rollback.look(chain);
}

/** Remembers what was read of a whole history, so that a later rollback shows on a machine that only verifies. */
function remember({ hashes, seq, head, breaks, missing }: AuditedLog, seen: SeenHistory): void {
  if (missing !== undefined || breaks.length > 0) return;
  for (const [number, hash] of hashes) seen.note({ seq: number, head: hash });
  seen.keep({ seq, head });
}

/** Reports a checkpoint that someone else put there; it is not trusted. */
function forgedCheckpoint(area: string, id: StreamId, believing: TrustBasis): readonly string[] {
  const places = streamPaths(area, id);
  const fd = unlessIoError(() => openPlain(places.journal, constants.O_RDONLY));
  if (fd === undefined) return [];
  try {
    const doubt = doubtCheckpoint(places, id, believing, { fd, size: fstatSync(fd).size });
    return doubt === undefined ? [] : [doubt];
  } finally {
    closeSync(fd);
  }
}

/** Reports held files that differ from the submission. */
function changedHeldContent(area: string, id: StreamId): readonly string[] {
  return openHeldContent(area, id)
    .spoiled()
    .map(
      ({ workflow, step }) => `the copy held for ${workflow}.${step} under .waymark/held/ differs from the submission`,
    );
}
