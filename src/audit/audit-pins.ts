import { sep } from "node:path";
import type { AuditedLog } from "../engine/ports/event-log.ts";
import type { PinState, PinStore } from "../engine/ports/pins.ts";
import { sha256 } from "../kit/sha256.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import type { StreamSnapshot } from "../workflow/stream-snapshot.ts";

/** The pinned definition copies of sessions, and which histories git tracks: their copies may be on another machine. */
export type AuditedPins = { readonly pins: PinStore; isInGit(id: StreamId): Promise<boolean> };

/** Adds the state of a session's pinned definition copy to the audit of its history. */
export async function auditPin(
  id: StreamId,
  journal: AuditedLog,
  area: string,
  known: AuditedPins,
): Promise<AuditedLog> {
  const { session, archivedAt } = journal.stream;
  if (session === null) return journal;
  const { verdict, place } = await pinStatusOf(session.definition, known.pins);
  if (verdict === "whole") return journal;
  const file = place.startsWith(area + sep) ? place.slice(area.length + 1) : place;
  const text = `the copy of its definition, ${file}, ${verdict === "gone" ? "is gone" : "was changed"}: ${nextAction(journal.stream)}`;
  const named = sha256(`${session.definition} ${verdict}`);
  const isOver = archivedAt !== null || (isFinished(journal.stream) && (await known.isInGit(id)));
  const isMissed = verdict === "changed" || !isOver;
  if (!isMissed || journal.accepted?.has(named) === true)
    return { ...journal, notes: [...(journal.notes ?? []), `${text}.`] };
  return { ...journal, disputes: [...(journal.disputes ?? []), { text, hash: named }] };
}

async function pinStatusOf(pin: string, pins: PinStore): Promise<PinState> {
  if (pins.inspect !== undefined) return pins.inspect(pin);
  return { verdict: (await pins.find(pin)) === undefined ? "gone" : "whole", place: pin };
}

function nextAction(stream: StreamSnapshot): string {
  const back = "bring the file back from git or a backup";
  if (isFinished(stream) || stream.archivedAt !== null) return back;
  return `its gates stay closed unless the workflow's files still match it; ${back}, or archive the session (waymark archive) and start a new one`;
}

function isFinished({ session, runs }: StreamSnapshot): boolean {
  const steps = [...runs.values()].flatMap((run) => [...run.steps.values()]);
  return steps.filter(({ status }) => status === "completed").length === session?.total;
}
