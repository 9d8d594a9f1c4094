import type { Command } from "../workflow/command.ts";
import { decide, type Situation } from "../workflow/decide.ts";
import type { Desk } from "../workflow/desk.ts";
import type { Decision } from "../workflow/outcome.ts";
import { reconcile } from "../workflow/reconcile.ts";
import { unrecorded } from "../workflow/refusals.ts";
import { replay } from "../workflow/replay.ts";
import type { Clock, Definitions, History, PlanReading, Snapshot } from "./ports.ts";
import type { Session } from "./session.ts";

/** A decided command and the desk as it stands after it. */
export type Transacted = {
  readonly decision: Decision;
  readonly reading: PlanReading;
  readonly desk: Desk;
  readonly warnings: readonly string[];
};

export type TransactParts = {
  readonly definitions: Definitions;
  readonly history: History;
  readonly clock: Clock;
};

/** A late writer decides anew this often before it gives up; each round somebody else made progress. */
const maxRounds = 1000;

/** Carries one command through: read, reconcile the state file, decide, record. Only what is recorded is answered. */
export async function transact(
  parts: TransactParts,
  session: Session,
  command: Command,
  previewed?: Previewed,
): Promise<Transacted> {
  const warnings: string[] = [...(previewed?.warnings ?? [])];
  for (let round = 0; round < maxRounds; round++) {
    const known = round === 0 ? previewed?.surveyed : undefined;
    const { snapshot, reading, situation } = known ?? (await survey(parts, session, warnings));
    const decision = decide(command, situation);
    if (decision.events.length === 0) return { decision, reading, desk: snapshot.desk, warnings };
    const appended = await parts.history.append(snapshot.seen, decision.events);
    if (appended.status === "behind") continue;
    warnings.push(...appended.warnings);
    if (appended.status === "failed") return { decision: unrecorded(decision), reading, desk: snapshot.desk, warnings };
    return { decision, reading, desk: replay(decision.events, snapshot.desk), warnings };
  }
  throw new Error(`Gave up after ${maxRounds} rounds: other processes keep writing to this project area.`);
}

/** What a command would come to, and what that was seen from. */
export type Previewed = Transacted & { readonly surveyed: Surveyed };

/** Decides a command without recording anything. */
export async function preview(parts: TransactParts, session: Session, command: Command): Promise<Previewed> {
  const warnings: string[] = [];
  const surveyed = await survey(parts, session, warnings);
  const { snapshot, reading, situation } = surveyed;
  return { decision: decide(command, situation), reading, desk: snapshot.desk, warnings, surveyed };
}

/** Definitions and history at one moment, with the state file settled. */
export type Surveyed = {
  readonly snapshot: Snapshot;
  readonly reading: PlanReading;
  readonly situation: Situation;
};

/** Looks at definitions and history, and settles first what a state file found on disk means. */
export async function survey(parts: TransactParts, session: Session, warnings: string[]): Promise<Surveyed> {
  const { definitions, history, clock } = parts;
  const reading = definitions.plan();
  let snapshot = await history.look();
  warnings.push(...snapshot.warnings);
  for (let round = 0; round < maxRounds; round++) {
    const now = clock().toISOString();
    const { id, opened, openedAside } = session;
    const { plan, settings } = reading;
    const situation: Situation = { plan, desk: snapshot.desk, caller: { id, opened, openedAside }, now };
    const settled = reconcile(snapshot.found, {
      plan,
      desk: snapshot.desk,
      hasHistory: snapshot.seen > 0,
      ...(snapshot.foundLog === undefined ? {} : { foundLog: snapshot.foundLog }),
      externalEdits: settings.externalEdits,
      now,
      by: id,
    });
    if (settled.events.length === 0 && settled.repair === null) return { snapshot, reading, situation };
    if (settled.events.length > 0) {
      const appended = await history.append(snapshot.seen, settled.events);
      if (appended.status === "behind") {
        snapshot = await history.look();
        continue;
      }
      warnings.push(...appended.warnings);
      // What cannot be recorded is not obeyed either; the next call tries again.
      if (appended.status === "failed") return { snapshot, reading, situation };
    }
    if (settled.repair !== null) warnings.push(...(await history.repair(settled.repair)));
    warnings.push(...settled.warnings);
    const looked = await history.look();
    warnings.push(...looked.warnings);
    // The file has been settled for this call, even where it could not be rewritten.
    return {
      snapshot: { ...looked, found: { kind: "current" } },
      reading,
      situation: { ...situation, desk: looked.desk },
    };
  }
  throw new Error(`Gave up after ${maxRounds} rounds: other processes keep writing to this project area.`);
}
