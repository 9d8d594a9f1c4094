import type { ApprovalRule } from "../gates/approval-rule.ts";
import { defined } from "../kit/defined.ts";
import { timeAfter } from "../workflow/command.ts";
import type { ItemState, StepItems } from "../workflow/item-state.ts";
import { isSettled } from "../workflow/items.ts";
import type { Warning } from "../workflow/notice.ts";
import { isFinished, positionIn } from "../workflow/position.ts";
import { isStuck } from "../workflow/replay-refusal.ts";
import { countedApprovals, requiredApproval } from "../workflow/required-approval.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import { isOpen, type StepState, type StreamSnapshot } from "../workflow/stream-snapshot.ts";
import type { Plan, Step } from "../workflow/workflow.ts";
import type { EngineDeps } from "./engine-deps.ts";
import type { PlanReading } from "./ports/definitions.ts";
import { readStream } from "./transact.ts";

/** The status of one step, for people. */
export type StepStatus = {
  readonly step: string;
  /** The author's title, once the step's turn has come. */
  readonly title?: string;
  readonly state: "completed" | "started" | "skipped" | "passed_over" | "vouched" | "next" | "waiting";
  readonly since?: string;
  /** Since when it has been waiting for a person: a submission for approval, or a report for an answer. */
  readonly waitingSince?: string;
  /** The reason why the assistant reported it as blocked, while no one has answered. */
  readonly blocked?: string;
  /** It is completed, and led back as often as it may. */
  readonly atBound?: true;
  /** The approval it is waiting for, and who has approved so far. */
  readonly waitingFor?: { readonly needs: ApprovalRule; readonly given: readonly string[] };
  /** Since when the checks of a submission have been running. */
  readonly checkingSince?: string;
  /** The checks that a runner is asked for. */
  readonly runnerChecks?: readonly string[];
  /** The reason the last try to complete it was refused. */
  readonly turnedDown?: string;
  /** The number of refusals by its gate in this attempt. */
  readonly refused?: number;
  /** Refused twice by its gate, and not passed since. */
  readonly stuck?: true;
  /** The fields, rules and checks its gate found missing last. */
  readonly missing?: readonly string[];
  /** The same was missing the time before. */
  readonly sameGaps?: true;
  /** The program that opened it; absent if a person's answer did. */
  readonly client?: string;
  /** A person answered, and the assistant has not gone on since. */
  readonly answered?: true;
  /** The round it is in or was completed in, from the second on. */
  readonly round?: number;
  /** The step whose completion led back to it. */
  readonly cameBackFrom?: string;
  readonly items?: ItemCounts;
};

/** The numbers of a step's items: all, settled or dropped, open, and those whose sessions did not settle them. */
export type ItemCounts = {
  readonly total: number;
  readonly settled: number;
  readonly open: number;
  readonly failed: number;
};

/** One item of a step, for people. */
export type ItemStatus = {
  readonly item: string;
  readonly title: string;
  readonly state: ItemState["status"];
  readonly outcome?: string;
  readonly session?: string;
  /** Its list no longer has it. */
  readonly gone?: true;
};

/** The items of one step. */
export type StepItemStatuses = {
  readonly workflow: string;
  readonly step: string;
  readonly items: readonly ItemStatus[];
};

/** The status of a workflow's latest pass. */
export type WorkflowStatus = {
  readonly workflow: string;
  readonly pass: number;
  readonly finished: boolean;
  readonly steps: readonly StepStatus[];
};

/** A stream with its plan: what a list of many needs, and no more. */
export type StreamOverview = {
  readonly id: StreamId;
  readonly stream: StreamSnapshot;
  readonly workflows: readonly WorkflowStatus[];
  /** The plan of the stream. */
  readonly plan: Plan;
  /** The number of records, and the hash of the last. */
  readonly seen: number;
  readonly head: string;
};

/** The status of every run of a stream. */
export type RunStatus = {
  readonly id: StreamId;
  readonly focus: StreamSnapshot["focus"];
  readonly session: StreamSnapshot["session"];
  readonly workflows: readonly WorkflowStatus[];
  readonly completed: number;
  /** The time a person archived it. */
  readonly archivedAt: string | null;
  readonly warnings: readonly Warning[];
  readonly closed?: PlanReading["closed"];
};

/** Reports the status of every run from the history; a view that differs is left for the next call. */
export async function runStatus(deps: EngineDeps): Promise<RunStatus> {
  const { id, views, clock } = deps;
  const { reading, snapshot } = await readStream(deps);
  const { plan, notices, closed, later } = reading;
  const { stream, warnings, forkedRecords: count = 0 } = snapshot;
  const forked: Warning[] = count === 0 ? [] : [{ kind: "set_aside", count }];
  const { found } = await views.compare(id);
  const pending: Warning[] =
    found.kind === "current" || found.kind === "behind" ? [] : [{ kind: "view_differs", found: found.kind }];
  return {
    id,
    focus: stream.focus,
    session: stream.session,
    completed: stream.completedCount,
    archivedAt: stream.archivedAt,
    warnings: [...notices, ...((await later?.()) ?? []), ...warnings, ...forked, ...pending],
    ...defined({ closed }),
    workflows: workflowStatuses(plan, stream, timeAfter(stream, clock().toISOString())),
  };
}

/** Reports the status of every run from history and plan alone, without reading views or files. */
export async function streamOverview({ id, definitions, log, clock }: EngineDeps): Promise<StreamOverview> {
  const looking = log.load(id);
  const { plan } = await definitions.plan(looking);
  const { stream, seen, head } = await looking;
  return {
    id,
    stream,
    workflows: workflowStatuses(plan, stream, timeAfter(stream, clock().toISOString())),
    plan,
    seen,
    head,
  };
}

function workflowStatuses(plan: Plan, stream: StreamSnapshot, now: string): readonly WorkflowStatus[] {
  return plan.workflows.map((workflow) => {
    const { run, steps, current } = positionIn(stream, workflow);
    return {
      workflow: workflow.name,
      pass: run.pass,
      finished: isFinished(stream, workflow),
      steps: steps.map((step) => {
        const state = run.steps.get(step.name);
        return { ...stepStatus(step, state, step === current), ...neededApproval(step, state, plan, now) };
      }),
    };
  });
}

/** As recorded; an approval's proof is checked where it counts. */
function neededApproval(
  { gate }: Step,
  state: StepState | undefined,
  plan: Plan,
  now: string,
): Pick<StepStatus, "waitingFor"> {
  const { digest } = state?.waiting ?? {};
  if (state?.status !== "started" || digest === undefined) return {};
  const needs = requiredApproval(gate, plan);
  const given = countedApprovals(needs, state.approvals ?? [], digest, now);
  return { waitingFor: { needs, given: given.flatMap(({ person }) => person?.name ?? []) } };
}

/** The status of a step; the current one with what it is waiting for. */
function stepStatus(step: Step, state: StepState | undefined, isCurrent: boolean): StepStatus {
  const { name, title, skip } = step;
  const open = isOpen(state) ? "started" : "next";
  const named = isCurrent ? open : (state?.status ?? (skip === undefined ? "waiting" : "skipped"));
  const shown = named === "superseded" ? "waiting" : named;
  const titled = title === undefined || shown === "waiting" ? {} : { title };
  if (state === undefined || shown === "waiting" || shown === "next") return { step: name, ...titled, state: shown };
  const since = state.completion?.at ?? state.startedAt;
  const { gateRefusals, client, rounds = 0, cameBackFrom, backFrom, items } = state;
  const round = state.status === "started" ? rounds + 1 : rounds;
  const isByPerson = isPersonsClient(client);
  return {
    step: name,
    ...titled,
    state: shown,
    since,
    ...(shown === "started" ? waitDetails(step, state) : {}),
    ...(gateRefusals === undefined ? {} : { refused: gateRefusals.times }),
    ...defined({
      client: isByPerson ? undefined : client,
      cameBackFrom: cameBackFrom?.step ?? backFrom,
      items: items && itemCounts(items),
    }),
    ...(shown === "started" && (isByPerson || isAnswered(state)) ? { answered: true } : {}),
    ...(round > 1 ? { round } : {}),
  };
}

function itemCounts({ items }: StepItems): ItemCounts {
  const having = (status: ItemState["status"]): number => items.filter((one) => one.status === status).length;
  return {
    total: items.length,
    settled: items.filter(isSettled).length,
    open: having("open"),
    failed: having("failed"),
  };
}

/** Lists the items of every step of a stream's latest passes. */
export function itemStatuses({ runs }: StreamSnapshot): readonly StepItemStatuses[] {
  return [...runs.values()].flatMap(({ workflow, steps }) =>
    [...steps].flatMap(([step, { items }]) =>
      items === undefined ? [] : [{ workflow, step, items: items.items.map(itemStatus) }],
    ),
  );
}

function itemStatus({ id, title, status, outcome, sessions, isGone }: ItemState): ItemStatus {
  return { item: id, title, state: status, ...defined({ outcome, session: sessions?.at(-1), gone: isGone }) };
}

/** Tells if a person's command or the dashboard made a record, and no assistant. */
export function isPersonsClient(client: string | undefined): boolean {
  return client !== undefined && /^waymark(?: dashboard)?(?: \d|$)/.test(client);
}

/** Tells if a person has rejected or answered, and nothing was submitted since. */
function isAnswered({ waiting, blocked, rejection, answer, waivers, refusedCode }: StepState): boolean {
  if (waiting !== undefined || blocked !== undefined) return false;
  return rejection !== undefined || ((answer ?? waivers) !== undefined && refusedCode === undefined);
}

function waitDetails({ gate }: Step, state: StepState): Partial<StepStatus> {
  const { waiting, refusedCode, gateRefusals, blocked } = state;
  if (blocked !== undefined)
    return {
      waitingSince: blocked.since,
      blocked: blocked.reason,
      ...(blocked.bound === undefined ? {} : { atBound: true }),
    };
  // a submission without a digest has not reached a person, if checks come first
  const isChecking = waiting !== undefined && waiting.digest === undefined && gate?.checks !== undefined;
  const runnerChecks = state.wanted?.map(({ check }) => check);
  if (isChecking) return { checkingSince: waiting.since, ...defined({ runnerChecks }) };
  if (waiting !== undefined) return { waitingSince: waiting.since };
  if (refusedCode === undefined) return {};
  const isByTheGate = gateRefusals !== undefined && gateRefusals.inARow > 0;
  return {
    turnedDown: refusedCode,
    ...(isStuck(state) ? { stuck: true } : {}),
    ...(isByTheGate && gateRefusals.missing.length > 0 ? { missing: gateRefusals.missing } : {}),
    ...(isByTheGate && gateRefusals.same ? { sameGaps: true } : {}),
  };
}
