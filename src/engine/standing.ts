import type { Approval } from "../evidence/approval.ts";
import type { Desk, StepState } from "../workflow/desk.ts";
import { approvalsCounted, wordAsked } from "../workflow/need.ts";
import type { Said } from "../workflow/notice.ts";
import { isStuck } from "../workflow/replay-refusal.ts";
import { isFinished, locate } from "../workflow/route.ts";
import type { Plan, Step } from "../workflow/workflow.ts";
import type { DeskParts } from "./desk-parts.ts";
import type { DeskId, PlanReading } from "./ports.ts";
import { readDesk } from "./read-desk.ts";

/** How one step stands, for people who look. */
export type StepStanding = {
  readonly step: string;
  /** What its author calls it, once its turn has come. */
  readonly title?: string;
  readonly state: "completed" | "started" | "skipped" | "vouched" | "next" | "waiting";
  readonly since?: string;
  /** Something was handed in, and a person's word is what it waits for since then. */
  readonly waitingSince?: string;
  /** What it needs of people, and who of them has agreed so far, where that is what it waits for. */
  readonly waitingFor?: { readonly needs: Approval; readonly given: readonly string[] };
  /** Something was handed in, and the checks of its gate are under way since then. */
  readonly checkingSince?: string;
  /** Why the last try to complete it was turned down. */
  readonly turnedDown?: string;
  /** How often its gate has turned it down in this attempt. */
  readonly refused?: number;
  /** Refused twice at its gate, and not let through since. */
  readonly stuck?: true;
  /** What its gate found wanting at last: fields, rules and checks by name. */
  readonly missing?: readonly string[];
  /** Just that was wanting the time before as well. */
  readonly sameGaps?: true;
  /** The program that it was opened with. */
  readonly client?: string;
};

/** Where the latest pass of a workflow stands. */
export type WorkflowStanding = {
  readonly workflow: string;
  readonly pass: number;
  readonly finished: boolean;
  readonly steps: readonly StepStanding[];
};

/** A desk on the map of its plan: what a list of many needs, and no more. */
export type Mapped = {
  readonly id: DeskId;
  readonly desk: Desk;
  readonly workflows: readonly WorkflowStanding[];
  /** The plan that it is walked by. */
  readonly plan: Plan;
  /** How many records it has, and the hash of the last. */
  readonly seen: number;
  readonly head: string;
};

/** Where every run of a desk stands. */
export type Standing = {
  readonly id: DeskId;
  readonly focus: Desk["focus"];
  readonly session: Desk["session"];
  readonly workflows: readonly WorkflowStanding[];
  readonly completed: number;
  /** When a person put it away. */
  readonly archivedAt: string | null;
  readonly warnings: readonly Said[];
  readonly closed?: PlanReading["closed"];
};

/** Tells where every run stands, from the history; a view that differs is left for the next call to settle. */
export async function standing(parts: DeskParts): Promise<Standing> {
  const { id, views, clock } = parts;
  const { reading, snapshot } = await readDesk(parts);
  const { plan, notices, closed, later } = reading;
  const { desk, warnings, setAside: count = 0 } = snapshot;
  const aside: Said[] = count === 0 ? [] : [{ kind: "set_aside", count }];
  const { found } = await views.look(id);
  const pending: Said[] =
    found.kind === "current" || found.kind === "behind" ? [] : [{ kind: "view_differs", found: found.kind }];
  return {
    id,
    focus: desk.focus,
    session: desk.session,
    completed: desk.completedCount,
    archivedAt: desk.archivedAt,
    warnings: [...notices, ...((await later?.()) ?? []), ...warnings, ...aside, ...pending],
    ...(closed === undefined ? {} : { closed }),
    workflows: workflowsOn(plan, desk, clock().toISOString()),
  };
}

/** Looks where every run stands, at the history and the plan alone: views and files are left as they are. */
export async function mapped({ id, definitions, log, clock }: DeskParts): Promise<Mapped> {
  const looking = log.look(id);
  const { plan } = await definitions.plan(looking);
  const { desk, seen, head } = await looking;
  return { id, desk, workflows: workflowsOn(plan, desk, clock().toISOString()), plan, seen, head };
}

function workflowsOn(plan: Plan, desk: Desk, now: string): readonly WorkflowStanding[] {
  return plan.workflows.map((workflow) => {
    const { run, steps, current } = locate(desk, workflow);
    return {
      workflow: workflow.name,
      pass: run.pass,
      finished: isFinished(desk, workflow),
      steps: steps.map((step) => {
        const state = run.steps.get(step.name);
        return { ...stepStanding(step, state, step === current), ...waitingFor(step, state, plan, now) };
      }),
    };
  });
}

/** As the history has it: whether an approval is proved is found out where it counts. */
function waitingFor(
  { gate }: Step,
  state: StepState | undefined,
  plan: Plan,
  now: string,
): Pick<StepStanding, "waitingFor"> {
  const { digest } = state?.waiting ?? {};
  if (state?.status !== "started" || digest === undefined) return {};
  const needs = wordAsked(gate, plan);
  const given = approvalsCounted(needs, state.approvals ?? [], digest, now);
  return { waitingFor: { needs, given: given.flatMap(({ person }) => person?.name ?? []) } };
}

/** How a step stands: where it is the one whose turn it is, with what it waits for. */
function stepStanding(step: Step, state: StepState | undefined, isCurrent: boolean): StepStanding {
  const { name, title, skip } = step;
  const open = state?.status === "started" ? "started" : "next";
  const named = isCurrent ? open : (state?.status ?? (skip === undefined ? "waiting" : "skipped"));
  const shown = named === "superseded" ? "waiting" : named;
  const titled = title === undefined || shown === "waiting" ? {} : { title };
  if (state === undefined || shown === "waiting" || shown === "next") return { step: name, ...titled, state: shown };
  const since = state.completion?.at ?? state.startedAt;
  const { refused, client } = state;
  return {
    step: name,
    ...titled,
    state: shown,
    since,
    ...(shown === "started" ? whatItWaitsFor(step, state) : {}),
    ...(refused === undefined ? {} : { refused: refused.times }),
    ...(client === undefined ? {} : { client }),
  };
}

function whatItWaitsFor({ gate }: Step, state: StepState): Partial<StepStanding> {
  const { waiting, turnedDown, refused } = state;
  // What is handed in without a digest has not got as far as a person, where there are checks before.
  const isChecking = waiting !== undefined && waiting.digest === undefined && gate?.checks !== undefined;
  if (isChecking) return { checkingSince: waiting.since };
  if (waiting !== undefined) return { waitingSince: waiting.since };
  if (turnedDown === undefined) return {};
  const isByTheGate = refused !== undefined && refused.inARow > 0;
  return {
    turnedDown,
    ...(isStuck(state) ? { stuck: true } : {}),
    ...(isByTheGate && refused.lacked.length > 0 ? { missing: refused.lacked } : {}),
    ...(isByTheGate && refused.same ? { sameGaps: true } : {}),
  };
}
