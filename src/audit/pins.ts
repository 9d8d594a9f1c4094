import { sep } from "node:path";
import type { AuditedLog, DeskId, PinStanding, Pins } from "../engine/ports.ts";
import { sha256 } from "../evidence/sha256.ts";
import type { Desk } from "../workflow/desk.ts";

/** The copies of definitions that sessions keep, and whether git keeps the history of one: then its copy may be another machine's. */
export type AuditedPins = { readonly pins: Pins; isInGit(id: DeskId): Promise<boolean> };

/** Adds to what is said of a session's history how the copy stands of the definition that it is walked by. */
export async function auditPin(id: DeskId, journal: AuditedLog, area: string, known: AuditedPins): Promise<AuditedLog> {
  const { session, archivedAt } = journal.desk;
  if (session === null) return journal;
  const { verdict, place } = await standingOf(session.definition, known.pins);
  if (verdict === "whole") return journal;
  const file = place.startsWith(area + sep) ? place.slice(area.length + 1) : place;
  const text = `the copy of its definition, ${file}, ${verdict === "gone" ? "is gone" : "was changed"}: ${whatToDo(journal.desk)}`;
  const named = sha256(`${session.definition} ${verdict}`);
  const isOver = archivedAt !== null || (isFinished(journal.desk) && (await known.isInGit(id)));
  const isMissed = verdict === "changed" || !isOver;
  if (!isMissed || journal.accepted?.has(named) === true)
    return { ...journal, notes: [...(journal.notes ?? []), `${text}.`] };
  return { ...journal, disputes: [...(journal.disputes ?? []), { text, hash: named }] };
}

async function standingOf(pin: string, pins: Pins): Promise<PinStanding> {
  if (pins.look !== undefined) return pins.look(pin);
  return { verdict: (await pins.find(pin)) === undefined ? "gone" : "whole", place: pin };
}

function whatToDo(desk: Desk): string {
  const back = "bring the file back from git or a backup";
  if (isFinished(desk) || desk.archivedAt !== null) return back;
  return `its gates stay closed unless the workflow's files say the same still; ${back}, or archive the session (waymark archive) and begin anew`;
}

function isFinished({ session, runs }: Desk): boolean {
  const steps = [...runs.values()].flatMap((run) => [...run.steps.values()]);
  return steps.filter(({ status }) => status === "completed").length === session?.total;
}
