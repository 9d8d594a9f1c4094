import { fieldsWaivedWith, type Waived } from "../gates/waiver.ts";
import { canonical } from "../kit/json.ts";
import { routedFields } from "../workflow/decide-blocked.ts";
import type { Event } from "../workflow/events.ts";
import { follow, isRouted, passBound, routeAfter } from "../workflow/follow-route.ts";
import { factsOf, judge } from "../workflow/position.ts";
import { replayer } from "../workflow/replay.ts";
import { passedBound } from "../workflow/replay-blocked.ts";
import { isEligible, requiredApproval } from "../workflow/required-approval.ts";
import { isAtBound, type Run, type StreamSnapshot } from "../workflow/stream-snapshot.ts";
import type { Plan, Step, Workflow } from "../workflow/workflow.ts";

/** A workflow in one version of the definitions, with its plan. */
export type RoutedDefinition = { readonly workflow: Workflow; readonly plan: Plan };

/** The replay of a walk's routes: what contradicts them, and the bounds that a person passed. */
export type ReplayedRoutes = {
  readonly problems: readonly string[];
  readonly passedBounds: ReadonlyMap<string, readonly Waived[]>;
};

/** Decides every route of a walk again on the evidence recorded at that time, and compares the record with it. */
export function replayRoutes(
  { workflow: name, pass }: Run,
  events: readonly Event[],
  versions: readonly RoutedDefinition[],
  called: (step: string) => string,
): ReplayedRoutes {
  const problems: string[] = [];
  const passedBounds = new Map<string, Waived[]>();
  if (!versions.some(({ workflow }) => isRouted(workflow)) && !events.some(isRouteEvent))
    return { problems, passedBounds };
  const own = events.filter((event) => !("pass" in event) || event.workflow !== name || event.pass === pass);
  const updatedAt = own.findLastIndex((event) => event.type === "updated");
  const update = own[updatedAt];
  const advance = replayer();
  const bounds = new Map<string, number>();
  let followedUntil = -1;
  for (const [at, event] of own.entries()) {
    if (event.type === "adopted" && event.workflow === name)
      for (const step of stepsAtBound(advance([]).runs.get(name), pass))
        problems.push(
          `${called(step)} left its bound by an edit of workflow_state.json: only a person's answer counts`,
        );
    const stream = advance([event]);
    if (!("workflow" in event) || event.workflow !== name || !("pass" in event) || event.pass !== pass) continue;
    // steps that an update superseded were decided by the definition before it
    if (at < updatedAt && update?.type === "updated" && "step" in event && update.supersedes.includes(event.step))
      continue;
    if (event.type === "passed_over" && !versions.some((one) => isPassedRightly(event, stream, one)))
      problems.push(`${called(event.step)} was passed over, but its condition did not say so`);
    if (at > followedUntil && isUnfounded(event, versions))
      problems.push(`the record of ${called(event.step)} ${consequenceText(event, called)}, but nothing led there`);
    if (event.type === "blocked" && event.bound !== undefined) bounds.set(event.step, event.bound);
    if (event.type !== "completed" && (event.type !== "answered" || event.follows === undefined)) continue;
    const recorded = consequencesAt(own, at + 1);
    followedUntil = at + recorded.length;
    if (event.type === "answered") {
      if (!versions.some((one) => isEligibleAt(event, one)))
        problems.push(`${called(event.step)} passed its bound without the approval that its gate requires`);
      passedBounds.set(event.step, [...(passedBounds.get(event.step) ?? []), passedBound(event)]);
    }
    const expected = versions.map((one) => routeText(expectedConsequences(event, stream, one, bounds), called));
    const said = routeText(recorded, called);
    if (expected.length > 0 && !expected.includes(said))
      problems.push(`${called(event.step)} ${routeWords(expected[0] ?? "")}, but the record ${routeWords(said)}`);
    else if (event.type === "completed" && !versions.some((one) => isTakenAsSaid(event, stream, one)))
      problems.push(`${called(event.step)}: its record names another route, condition or value than was decided by`);
  }
  return { problems, passedBounds };
}

/** The steps of a pass that wait at their bound. */
function stepsAtBound(run: Run | undefined, pass: number): readonly string[] {
  return run?.pass !== pass ? [] : [...run.steps].flatMap(([step, state]) => (isAtBound(state) ? [step] : []));
}

type RouteEvent = Event & { readonly type: "went_back" | "passed_over" | "finished" | "blocked" };

/** Tells if an event is the consequence of a route or condition. */
function isRouteEvent(event: Event): event is RouteEvent {
  if (event.type === "went_back") return event.from !== undefined;
  if (event.type === "blocked") return event.bound !== undefined;
  return event.type === "passed_over" || (event.type === "finished" && event.level === undefined);
}

/** Tells if a record says that a route or a person changed the walk's way where neither could. */
function isUnfounded(event: Event, versions: readonly RoutedDefinition[]): event is RouteEvent {
  if (event.type !== "finished" || event.level === undefined)
    return isRouteEvent(event) && event.type !== "passed_over";
  const { outcome } = event;
  return outcome === "done" || !versions.some(({ workflow: { outcomes = [] } }) => outcomes.includes(outcome));
}

/** Tells if a person's answer at a bound has the level that the gate requires; its proof is verified with the history. */
function isEligibleAt(event: Event & { readonly type: "answered" }, { workflow, plan }: RoutedDefinition): boolean {
  const { level, by } = requiredApproval(workflow.steps.find(({ name }) => name === event.step)?.gate, plan);
  return isEligible(event, level, by);
}

/** The recorded consequences that begin at an index, up to the next record of another kind. */
function consequencesAt(events: readonly Event[], first: number): readonly Event[] {
  let end = first;
  for (let event = events[end]; event !== undefined; event = events[end]) {
    if (!isRouteEvent(event) && event.type !== "skipped") break;
    end += 1;
  }
  return events.slice(first, end);
}

/** The consequences that a completion, or a person's answer at a bound, must have by these definitions. */
function expectedConsequences(
  event: Event & { readonly type: "completed" | "answered" },
  stream: StreamSnapshot,
  { workflow, plan }: RoutedDefinition,
  bounds: ReadonlyMap<string, number>,
): readonly Event[] {
  const run = stream.runs.get(event.workflow);
  const step = workflow.steps.find((one) => one.name === event.step);
  if (run === undefined || step === undefined) return [];
  const { workflow: name, pass, attempt, by: id, at: now } = event;
  const ref = { workflow: name, pass, step: step.name, attempt };
  const situation = { plan, stream, caller: { id }, now };
  const defined = { ...workflow, name };
  if (event.type === "completed")
    return follow(routeAfter(step, run, stream, chosenBy(event, step, run)), ref, defined, stream, situation).events;
  const { follows = "continue" } = event;
  return passBound({ follows, bound: bounds.get(step.name) }, ref, defined, stream, situation);
}

/** Tells if a completion names the route that these definitions decide on, with its condition and the values that it read. */
function isTakenAsSaid(
  event: Event & { readonly type: "completed" },
  stream: StreamSnapshot,
  { workflow }: RoutedDefinition,
): boolean {
  const run = stream.runs.get(event.workflow);
  const step = workflow.steps.find((one) => one.name === event.step);
  if (run === undefined || step === undefined) return event.taken === undefined;
  const { taken } = routeAfter(step, run, stream, chosenBy(event, step, run));
  return canonical(taken ?? null) === canonical(event.taken ?? null);
}

/** The continuation that a person chose with a waiver of a field that routes read, if the completion counts it. */
function chosenBy(
  { taken, waived = [] }: Event & { readonly type: "completed" },
  { name, routing, gate }: Step,
  { steps }: Run,
): string | undefined {
  if (taken?.route !== "person") return undefined;
  const counted = waived.map(({ field }) => field);
  const read = routedFields(routing);
  const isRouted = (field: string): boolean =>
    counted.includes(field) && fieldsWaivedWith(gate, [field]).some((one) => read.includes(one));
  return steps.get(name)?.waivers?.findLast(({ fields, follows }) => follows && fields.some(isRouted))?.follows;
}

/** Tells if the condition of a step that was passed over was false at that moment, on the values that the record names. */
function isPassedRightly(
  { workflow: name, step, condition, read }: Event & { readonly type: "passed_over" },
  stream: StreamSnapshot,
  { workflow }: RoutedDefinition,
): boolean {
  const run = stream.runs.get(name);
  const when = workflow.steps.find((one) => one.name === step)?.routing?.when;
  if (run === undefined || when === undefined) return false;
  const { holds, judged } = judge(when, factsOf(run, stream));
  return holds === false && canonical(judged) === canonical({ condition, read });
}

function routeText(events: readonly Event[], called: (step: string) => string): string {
  return events
    .filter(isRouteEvent)
    .map((event) => consequenceText(event, called))
    .join(" and ");
}

function consequenceText(event: RouteEvent, called: (step: string) => string): string {
  switch (event.type) {
    case "went_back": {
      const over = event.supersedes.length === 0 ? "" : ` (again: ${event.supersedes.map(called).sort().join(", ")})`;
      return `leads back to ${called(event.step)}${over}`;
    }
    case "passed_over":
      return `passes over ${called(event.step)}`;
    case "finished":
      return `ends as ${event.outcome}`;
    case "blocked":
      return "stops at its bound";
  }
}

function routeWords(text: string): string {
  return text === "" ? "goes on to the next step" : text;
}
