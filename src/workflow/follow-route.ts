import type { Gap } from "../gates/gate.ts";
import type { Route, RouteTarget } from "../gates/route.ts";
import { fieldValue } from "../gates/value-type.ts";
import type { Json, JsonObject } from "../kit/json.ts";
import { stampOf } from "./command.ts";
import { skippedEvents, startAttempt, stepsAfter } from "./decide-open.ts";
import type { DecisionContext, OpenStep } from "./decision-context.ts";
import type { Event, RouteTaken, StepRef, Submission } from "./events.ts";
import { arrive, factsOf, judge, type Position, positionIn } from "./position.ts";
import { refOf } from "./refuse.ts";
import { replay } from "./replay.ts";
import type { Run, StreamSnapshot } from "./stream-snapshot.ts";
import type { Plan, Step, Workflow } from "./workflow.ts";

/** The continuation after a completion: a target and the route that names it, or a bound that only a person can pass. */
export type Following = {
  readonly to: RouteTarget;
  readonly taken?: RouteTaken;
  /** The route that is used up. */
  readonly bound?: number;
};

/** The records that follow a completion, and where they lead. */
export type Followed = {
  readonly events: readonly Event[];
  /** The step that needs work next; null at the end, and at a bound. */
  readonly next: Step | null;
  /** Nothing is left to do. */
  readonly isEnd: boolean;
  readonly outcome?: string;
};

/** Tells if anything in a workflow depends on conditions or routes. */
export function isRouted({ steps }: Workflow): boolean {
  return steps.some(({ routing }) => routing !== undefined);
}

/** Tells if any step of a plan calls another workflow. */
export function callsWorkflows({ workflows }: Pick<Plan, "workflows">): boolean {
  for (const { steps } of workflows) for (const { routing } of steps) if (routing?.calls !== undefined) return true;
  return false;
}

/** Decides what follows a completed step: the first route that holds; a used-up one counts only if no later one holds. */
export function routeAfter(step: Step, run: Run, stream: StreamSnapshot, chosen?: string): Following {
  const { routes = [] } = step.routing ?? {};
  if (chosen !== undefined) return { to: chosenTarget(chosen, run), taken: { route: "person" } };
  const state = run.steps.get(step.name);
  const facts = factsOf(run, stream, state?.submitted.evidence ?? {});
  let bound: Following | undefined;
  for (const [route, one] of routes.entries()) {
    const found = one.when === undefined ? { holds: true, judged: {} } : judge(one.when, facts);
    if (found.holds !== true) continue;
    const taken = { route, ...found.judged };
    if (!isUsedUp(one, state?.routesTaken?.[route])) return { to: one.to, taken };
    bound ??= { to: one.to, taken, bound: route };
  }
  return bound ?? { to: { onward: true } };
}

function isUsedUp({ atMost }: Route, times = 0): boolean {
  return atMost !== undefined && times >= atMost;
}

/** The target a person named: "next", a step of the run, or an outcome. */
function chosenTarget(follows: string, { steps }: Run): RouteTarget {
  if (follows === "next") return { onward: true };
  return steps.has(follows) ? { back: follows } : { end: follows };
}

/** The items that a field names: a list of their ids, or one id. */
function namedItems(evidence: JsonObject, field: string): readonly string[] {
  const value = fieldValue(evidence, field);
  return (Array.isArray(value) ? value : [value]).flatMap((one: Json) =>
    typeof one === "string" || typeof one === "number" ? [String(one)] : [],
  );
}

/** Checks the field that names the items to go back for; undefined if it names some, or if no such route would be taken. */
export function itemsNamedGap(
  { step, position: { run }, follows }: OpenStep,
  submitted: Submission,
  stream: StreamSnapshot,
): Gap | undefined {
  const { routes } = step.routing ?? {};
  if (routes === undefined || follows !== undefined || !routes.some(({ only }) => only !== undefined)) return undefined;
  const state = run.steps.get(step.name);
  if (state === undefined) return undefined;
  const steps = new Map(run.steps).set(step.name, {
    ...state,
    status: "completed",
    submitted,
    rounds: (state.rounds ?? 0) + 1,
  });
  const { to, taken } = routeAfter(step, { ...run, steps }, stream);
  const { only } = typeof taken?.route === "number" ? (routes[taken.route] ?? {}) : {};
  if (only === undefined || !("back" in to)) return undefined;
  const { evidence = {} } = submitted;
  const named = namedItems(evidence, only);
  const known = (run.steps.get(to.back)?.items?.items ?? []).map(({ id }) => id);
  const unknown = named.filter((id) => !known.includes(id));
  if (named.length > 0 && unknown.length === 0) return undefined;
  const what = named.length === 0 ? "it names no item" : `there is no item ${unknown.slice(0, 5).join(", ")}`;
  return {
    field: only,
    kind: "validation_failed",
    text: `${only} (validation failed: ${what}; items: ${known.slice(0, 20).join(", ")})`,
  };
}

/** Follows a person's choice at a bound, which is already part of the stream: one more round, or the next step. */
export function passBound(
  { follows, bound }: { readonly follows: "again" | "continue"; readonly bound: number | undefined },
  ref: StepRef,
  workflow: Workflow,
  stream: StreamSnapshot,
  situation: DecisionContext,
): readonly Event[] {
  const route = workflow.steps.find(({ name }) => name === ref.step)?.routing?.routes?.[bound ?? -1];
  const following: Following =
    follows === "again" && route !== undefined && bound !== undefined
      ? { to: route.to, taken: { route: bound } }
      : { to: { onward: true } };
  const { events, isEnd } = follow(following, ref, workflow, stream, situation);
  const stamp = stampOf(situation.caller, situation.now);
  return isEnd ? [...events, { type: "finished", ...stamp, ...ref, outcome: "done" }] : events;
}

/** Follows a completion that is already part of the stream. */
export function follow(
  { to, taken, bound }: Following,
  ref: StepRef,
  workflow: Workflow,
  stream: StreamSnapshot,
  situation: DecisionContext,
): Followed {
  const stamp = stampOf(situation.caller, situation.now);
  if (bound !== undefined) {
    const times = workflow.steps.find(({ name }) => name === ref.step)?.routing?.routes?.[bound]?.atMost ?? 0;
    const reason = `It led back ${times === 1 ? "once" : `${times} times`}, as often as the workflow allows.`;
    return { events: [{ type: "blocked", ...stamp, ...ref, reason, bound }], next: null, isEnd: false };
  }
  if ("end" in to) {
    return {
      events: [{ type: "finished", ...stamp, ...ref, outcome: to.end }],
      next: null,
      isEnd: true,
      outcome: to.end,
    };
  }
  if (!("back" in to)) return moveOn([], ref, workflow, stream, situation);
  const position = positionIn(stream, workflow);
  const target = position.steps.find(({ name }) => name === to.back);
  const source = workflow.steps.find(({ name }) => name === ref.step);
  if (target === undefined) return moveOn([], ref, workflow, stream, situation);
  const { only } = typeof taken?.route === "number" ? (source?.routing?.routes?.[taken.route] ?? {}) : {};
  const { evidence = {} } = position.run.steps.get(ref.step)?.submitted ?? {};
  const wentBack: Event = {
    type: "went_back",
    ...stamp,
    ...refOf(position.run, target.name),
    supersedes: stepsAfter(target, position),
    from: ref.step,
    ...(typeof taken?.route === "number" ? { route: taken.route } : {}),
    ...(only === undefined ? {} : { only: namedItems(evidence, only) }),
  };
  return moveOn([wentBack], ref, workflow, replay([wentBack], stream), situation);
}

/** Arrives at the step that needs work next, and opens it where a completion does that. */
function moveOn(
  before: readonly Event[],
  { step: from }: StepRef,
  workflow: Workflow,
  stream: StreamSnapshot,
  situation: DecisionContext,
): Followed {
  const { events: passed, position, stream: moved } = arrive(workflow, stream, situation);
  const { current, run } = position;
  const isEnd = current === null && workflow.closed === undefined;
  const events = [...before, ...passed];
  if (current === null) return { events: [...events, ...skippedAfter(from, position, situation)], next: null, isEnd };
  const opened =
    situation.plan.policy.onComplete === "opens the next" && run.steps.get(current.name)?.status !== "started"
      ? startAttempt({ kind: "open" }, current, position, { ...situation, stream: moved }).events
      : skippedAfter(from, position, situation);
  return { events: [...events, ...opened], next: current, isEnd: false };
}

/** The steps that their author skips between a step and the position. */
function skippedAfter(from: string, position: Position, { caller, now }: DecisionContext): readonly Event[] {
  const { steps, current } = position;
  const after = steps.findIndex(({ name }) => name === from) + 1;
  const between = steps.slice(after, current === null ? steps.length : steps.indexOf(current));
  return skippedEvents(between, position, stampOf(caller, now));
}
