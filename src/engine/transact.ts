import { type Caller, type Command, stampOf } from "../workflow/command.ts";
import { decide, type Situation } from "../workflow/decide.ts";
import type { Desk } from "../workflow/desk.ts";
import type { Said } from "../workflow/notice.ts";
import type { Decision } from "../workflow/outcome.ts";
import { reconcile } from "../workflow/reconcile.ts";
import { unrecorded } from "../workflow/refusals.ts";
import { replay } from "../workflow/replay.ts";
import type { DeskParts } from "./desk-parts.ts";
import type { OnFault, PlanReading, Saving, Snapshot, Viewed } from "./ports.ts";
import { readDesk } from "./read-desk.ts";

/** A decided command and the desk as it stands after it. */
export type Transacted = {
  readonly decision: Decision;
  readonly reading: PlanReading;
  readonly desk: Desk;
  readonly warnings: readonly Said[];
  /** What is to be said of what was saved with the record; absent where it is still to be saved. */
  readonly saved?: readonly string[] | undefined;
};

/** A late writer decides anew this often before it gives up; each round somebody else made progress. */
const maxRounds = 1000;

/** What else goes on record with a decision, and what is to be said of it. */
export type Readied = {
  readonly decision: Decision;
  readonly warnings: readonly string[];
  readonly saving?: Saving | undefined;
};

/** What is known before a command is carried through, and what is done to its decision before that is recorded. */
export type Beginning = {
  readonly surveyed?: Surveyed;
  readonly ready?: (decision: Decision, surveyed: Surveyed) => Promise<Readied>;
};

/** Carries one command through: look, reconcile the views, decide, record, show. Only what is recorded is answered. */
export async function transact(
  parts: DeskParts,
  caller: Caller,
  command: Command,
  begun: Beginning = {},
): Promise<Transacted> {
  const warnings: Said[] = [];
  for (let round = 0; round < maxRounds; round++) {
    const surveyed = (round === 0 ? begun.surveyed : undefined) ?? (await survey(parts, caller));
    const { seen, reading, situation, answers } = surveyed;
    warnings.push(...surveyed.warnings);
    const decided = decide(command, situation);
    // A named run begins with a step that is opened; a no before that leaves no trace.
    const isNoRun = parts.id.run !== undefined && seen === 0 && decided.outcome.kind === "refused";
    if (decided.events.length === 0 || isNoRun) {
      const later = (await reading.later?.()) ?? [];
      return { decision: { ...decided, events: [] }, reading, desk: situation.desk, warnings: [...warnings, ...later] };
    }
    const readied = await begun.ready?.(decided, surveyed);
    const decision = readied?.decision ?? decided;
    for (const event of decision.events)
      if (event.type === "started" && event.edits !== undefined) await parts.workTree?.mark(parts.id, event);
    const [appended, later] = await Promise.all([
      parts.log.append(parts.id, seen, decision.events, {
        onFault: onFault(reading),
        answers,
        saving: readied?.saving,
      }),
      reading.later?.() ?? [],
    ]);
    if (appended.status === "behind") continue;
    warnings.push(...appended.warnings, ...later, ...(readied?.warnings ?? []));
    if (appended.status === "failed")
      return { decision: unrecorded(decision), reading, desk: situation.desk, warnings };
    if (appended.status === "recorded") warnings.push(...(await parts.views.publish(parts.id)));
    const desk = replay(decision.events, situation.desk);
    return { decision, reading, desk, warnings, saved: appended.saved };
  }
  throw new Error(`Gave up after ${maxRounds} rounds: other processes keep writing to this project area.`);
}

/** Definitions and history at one moment, with the views settled. */
export type Surveyed = {
  readonly seen: number;
  readonly reading: PlanReading;
  readonly situation: Situation;
  readonly answers?: string | undefined;
  readonly warnings: readonly Said[];
};

/** Looks at definitions and history, and settles first what a view found in the project area means. */
export async function survey(parts: DeskParts, caller: Caller): Promise<Surveyed> {
  const { id, log, views, clock } = parts;
  const read = await readDesk(parts);
  const { reading } = read;
  let { snapshot } = read;
  const warnings: Said[] = [...reading.notices, ...snapshot.warnings, ...setAside(parts, caller, snapshot)];
  let viewed: Viewed = await views.look(id);
  for (let round = 0; round < maxRounds; round++) {
    warnings.push(...viewed.warnings);
    const now = clock().toISOString();
    const { plan, settings } = reading;
    const situation: Situation = { plan, desk: snapshot.desk, caller, now };
    const settled = reconcile(viewed.found, {
      plan,
      desk: snapshot.desk,
      hasHistory: snapshot.seen > 0,
      ...(viewed.foundLog === undefined ? {} : { foundLog: viewed.foundLog }),
      externalEdits: settings.externalEdits,
      stamp: stampOf(caller, now),
    });
    const { answers } = viewed;
    const { seen } = snapshot;
    if (settled.events.length === 0 && settled.repair === null) return { seen, reading, situation, answers, warnings };
    if (settled.events.length > 0) {
      const appended = await log.append(id, seen, settled.events, { onFault: onFault(reading), answers });
      if (appended.status === "behind") {
        [snapshot, viewed] = [await log.look(id), await views.look(id)];
        continue;
      }
      warnings.push(...appended.warnings);
      // What cannot be recorded is not obeyed either; the next call tries again.
      if (appended.status === "failed") return { seen, reading, situation, answers, warnings };
      if (appended.status === "recorded" && settled.repair === null) warnings.push(...(await views.publish(id)));
    }
    if (settled.repair !== null) warnings.push(...(await views.repair(id, settled.repair)));
    const looked = await log.look(id);
    warnings.push(...settled.notices, ...looked.warnings);
    // The view has been settled for this call, even where it could not be rewritten.
    return { seen: looked.seen, reading, situation: { ...situation, desk: looked.desk }, warnings };
  }
  throw new Error(`Gave up after ${maxRounds} rounds: other processes keep writing to this project area.`);
}

/** What a caller has not been told yet of records that were set aside. */
function setAside({ toldAside }: DeskParts, { id }: Caller, { setAside: count = 0 }: Snapshot): readonly Said[] {
  return count > (toldAside?.get(id) ?? 0) ? [{ kind: "set_aside", count }] : [];
}

/** What cannot be recorded is held, unless the plan or the team wants it refused. */
export function onFault({ plan, settings }: PlanReading): OnFault {
  return settings.strict || plan.manner.unrecorded === "refused" ? "refuse" : "hold";
}
