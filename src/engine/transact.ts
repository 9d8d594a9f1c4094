import { defined } from "../kit/defined.ts";
import { type Caller, type Command, stampOf, timeAfter } from "../workflow/command.ts";
import { decide } from "../workflow/decide.ts";
import type { DecisionContext } from "../workflow/decision-context.ts";
import type { Warning } from "../workflow/notice.ts";
import type { Decision } from "../workflow/outcome.ts";
import { completedAndGone } from "../workflow/position.ts";
import { reconcile } from "../workflow/reconcile.ts";
import { refuseUnrecorded } from "../workflow/refuse.ts";
import { replay } from "../workflow/replay.ts";
import type { StepRef } from "../workflow/step-ref.ts";
import type { StreamSnapshot } from "../workflow/stream-snapshot.ts";
import type { Plan } from "../workflow/workflow.ts";
import type { EngineDeps } from "./engine-deps.ts";
import { foreignHistory } from "./identified-log.ts";
import type { PlanReading } from "./ports/definitions.ts";
import type { ContentToSave, LoadedStream, OnWriteFailure } from "./ports/event-log.ts";
import type { FoundView } from "./ports/views.ts";

/** A decided command, and the stream after it. */
export type TransactionResult = {
  readonly decision: Decision;
  readonly reading: PlanReading;
  readonly stream: StreamSnapshot;
  readonly warnings: readonly Warning[];
  /** Warnings about content saved with the record; absent if it is still to be saved. */
  readonly saved?: readonly string[] | undefined;
};

/** A late writer decides again this often before it gives up; in each round another one made progress. */
const maxRounds = 1000;

/** A decision ready to be recorded, with the content saved with it and warnings. */
export type PreparedDecision = {
  readonly decision: Decision;
  readonly warnings: readonly string[];
  readonly saving?: ContentToSave | undefined;
};

/** A load to start from, and a step that prepares the decision before it is recorded. */
export type TransactOptions = {
  readonly loaded: Loaded;
  readonly prepare?: (decision: Decision) => Promise<PreparedDecision>;
};

/** Runs one command: load, reconcile the views, decide, record, publish. Only what is recorded is answered. */
export async function transact(
  deps: EngineDeps,
  caller: Caller,
  command: Command,
  options: Partial<Pick<TransactOptions, "loaded">> = {},
): Promise<TransactionResult> {
  return untilRecorded(options.loaded, async (given) => {
    const loaded = given ?? (await load(deps, caller, { isBeginning: command.kind === "begin" }));
    return transactOnce(deps, command, { loaded });
  });
}

/** Repeats work that another writer was quicker than; warnings of earlier rounds are kept. */
export async function untilRecorded<T extends { readonly warnings: readonly Warning[] }>(
  first: Loaded | undefined,
  work: (loaded: Loaded | undefined) => Promise<T | Behind>,
): Promise<T> {
  let before: readonly Warning[] = [];
  for (let round = 0; round < maxRounds; round++) {
    const done = await work(round === 0 ? first : undefined);
    if (!("behind" in done)) return before.length === 0 ? done : { ...done, warnings: [...before, ...done.warnings] };
    before = [...before, ...done.behind];
  }
  throw new Error(`Gave up after ${maxRounds} rounds: other processes keep writing to this project area.`);
}

/** Another writer was quicker, so nothing was recorded; with the warnings of this round. */
export type Behind = { readonly behind: readonly Warning[] };

/** The same once: decides on what was loaded, and gives up if another writer was quicker. */
export async function transactOnce(
  deps: EngineDeps,
  command: Command,
  { loaded, prepare }: TransactOptions,
): Promise<TransactionResult | Behind> {
  const { seen, reading, situation, answers } = loaded;
  const decided = decide(command, situation);
  // a named run begins with an opened step; a refusal before that leaves no trace
  const isNoRun = deps.id.run !== undefined && seen === 0 && decided.outcome.kind === "refused";
  if (decided.events.length === 0 || isNoRun) {
    const later = (await reading.later?.()) ?? [];
    return {
      decision: { ...decided, events: [] },
      reading,
      stream: situation.stream,
      warnings: [...loaded.warnings, ...later],
    };
  }
  const prepared = await prepare?.(decided);
  const decision = await withCommits(deps, prepared?.decision ?? decided, loaded);
  for (const event of decision.events)
    if (event.type === "started" && event.edits !== undefined) await deps.workTree?.mark(deps.id, event);
  const [appended, later] = await Promise.all([
    deps.log.append(deps.id, seen, decision.events, {
      onFault: onWriteFailure(reading),
      answers,
      saving: prepared?.saving,
    }),
    reading.later?.() ?? [],
  ]);
  if (appended.status === "behind") return { behind: loaded.warnings };
  const warnings = [...loaded.warnings, ...appended.warnings, ...later, ...(prepared?.warnings ?? [])];
  if (appended.status === "failed")
    return { decision: refuseUnrecorded(decision), reading, stream: situation.stream, warnings };
  if (appended.status === "recorded") warnings.push(...(await deps.views.publish(deps.id)));
  const stream = replay(decision.events, situation.stream);
  return { decision, reading, stream, warnings, saved: appended.saved };
}

/** Adds the current commit to each opened step whose checks count commits from there. */
async function withCommits(
  deps: EngineDeps,
  decision: Decision,
  { reading: { plan }, situation }: Loaded,
): Promise<Decision> {
  const events = [...decision.events];
  for (const [at, event] of events.entries())
    if (event.type === "started" && countsCommits(plan, event))
      events[at] = { ...event, ...defined({ commit: situation.caller.commit ?? (await deps.workTree?.head()) }) };
  return { ...decision, events };
}

function countsCommits({ workflows }: Plan, { workflow, step }: StepRef): boolean {
  for (const { name, steps } of workflows)
    for (const { name: own, gate } of name === workflow ? steps : [])
      for (const check of own === step ? (gate?.checks ?? []) : [])
        if (check.kind === "git" && check.commitsSinceStart !== undefined) return true;
  return false;
}

/** Definitions and history at one moment, with the views settled. */
export type Loaded = {
  readonly seen: number;
  readonly reading: PlanReading;
  readonly situation: DecisionContext;
  readonly answers?: string | undefined;
  readonly warnings: readonly Warning[];
};

/** Loads definitions and history, and first settles what a view found in the project area means. A stream that pins its definition is closed until it has begun. `read`: the history as this call has read it already. */
export async function load(
  deps: EngineDeps,
  caller: Caller,
  {
    isBeginning = false,
    read: known,
  }: { readonly isBeginning?: boolean; readonly read?: LoadedStream | undefined } = {},
): Promise<Loaded> {
  const { id, log, views, clock } = deps;
  const read = await readStream(deps, known);
  const { reading } = read;
  let { snapshot } = read;
  const warnings: Warning[] = [
    ...reading.notices,
    ...snapshot.warnings,
    ...forkNotice(deps, caller, snapshot),
    ...goneNotice(deps, caller, reading, snapshot),
  ];
  const { seen, stream } = snapshot;
  if (reading.plan.policy.definition === "pinned" && stream.session === null && !isBeginning) {
    const situation = { plan: reading.plan, stream, caller, now: timeAfter(stream, clock().toISOString()) };
    return { seen, reading: { ...reading, closed: { gone: reading.plan.name } }, situation, warnings };
  }
  let viewed: FoundView = await views.compare(id);
  for (let round = 0; round < maxRounds; round++) {
    warnings.push(...viewed.warnings);
    const now = timeAfter(snapshot.stream, clock().toISOString());
    const { plan, settings } = reading;
    const situation: DecisionContext = { plan, stream: snapshot.stream, caller, now };
    const settled = reconcile(viewed.found, {
      plan,
      stream: snapshot.stream,
      hasHistory: snapshot.seen > 0,
      ...defined({ foundLog: viewed.foundLog }),
      externalEdits: settings.externalEdits,
      stamp: stampOf(caller, now),
    });
    const { answers } = viewed;
    const { seen } = snapshot;
    if (settled.events.length === 0 && settled.repair === null) return { seen, reading, situation, answers, warnings };
    if (settled.events.length > 0) {
      const appended = await log.append(id, seen, settled.events, { onFault: onWriteFailure(reading), answers });
      if (appended.status === "behind") {
        [snapshot, viewed] = [await log.load(id), await views.compare(id)];
        continue;
      }
      warnings.push(...appended.warnings);
      // an edit that cannot be recorded is not applied either; the next call tries again
      if (appended.status === "failed") return { seen, reading, situation, answers, warnings };
      if (appended.status === "recorded" && settled.repair === null) warnings.push(...(await views.publish(id)));
    }
    if (settled.repair !== null) warnings.push(...(await views.repair(id, settled.repair)));
    const looked = await log.load(id);
    warnings.push(...settled.notices, ...looked.warnings);
    // the view is settled for this call, even if it could not be rewritten; another writer may have recorded something since
    const { seen: latest, stream } = looked;
    return { seen: latest, reading, situation: { ...situation, stream, now: timeAfter(stream, now) }, warnings };
  }
  throw new Error(`Gave up after ${maxRounds} rounds: other processes keep writing to this project area.`);
}

/** A notice of forked records, if the caller has not been notified yet. */
function forkNotice(
  { notifiedForks }: EngineDeps,
  { id }: Caller,
  { forkedRecords: count = 0 }: LoadedStream,
): readonly Warning[] {
  return count > (notifiedForks?.get(id) ?? 0) ? [{ kind: "set_aside", count }] : [];
}

/** A notice of completed steps that were renamed or removed, if the caller has not been notified yet. */
function goneNotice(
  { notifiedGone }: EngineDeps,
  { id }: Caller,
  { plan, closed }: PlanReading,
  { stream }: LoadedStream,
): readonly Warning[] {
  if (plan.policy.definition === "pinned" || closed !== undefined) return [];
  const steps = completedAndGone(plan, stream);
  return steps.length === 0 || notifiedGone?.get(id) === String(steps) ? [] : [{ kind: "completed_gone", steps }];
}

/** Holds what cannot be recorded, unless the plan or the settings refuse it. */
export function onWriteFailure({ plan, settings }: PlanReading): OnWriteFailure {
  return settings.strict || plan.policy.onUnrecorded === "refused" ? "refuse" : "hold";
}

/** Reads the definitions and the history of a stream together; rejects if either cannot be read. */
export async function readStream(
  { id, log, definitions, identity }: Pick<EngineDeps, "id" | "log" | "definitions" | "identity">,
  known?: LoadedStream,
): Promise<{
  reading: PlanReading;
  snapshot: LoadedStream;
}> {
  // warnings are heard by those who watch the log
  const looking = known?.warnings.length === 0 ? Promise.resolve(known) : log.load(id);
  const [reading, snapshot, project] = await Promise.all([definitions.plan(looking), looking, identity?.()]);
  const foreign = foreignHistory(snapshot.stream, project);
  return { reading: foreign === undefined ? reading : { ...reading, closed: { problem: foreign } }, snapshot };
}
