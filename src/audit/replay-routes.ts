import type { Waived } from "../gates/waiver.ts";
import type { Event } from "../workflow/events.ts";
import { follow, isRouted, routeAfter } from "../workflow/follow-route.ts";
import { factsOf, judge } from "../workflow/position.ts";
import { replayer } from "../workflow/replay.ts";
import { responderOf } from "../workflow/replay-blocked.ts";
import type { Run, StreamSnapshot } from "../workflow/stream-snapshot.ts";
import type { Plan, Workflow } from "../workflow/workflow.ts";

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
  const advance = replayer();
  for (const [at, event] of own.entries()) {
    const stream = advance([event]);
    if (!("workflow" in event) || event.workflow !== name || !("pass" in event) || event.pass !== pass) continue;
    if (event.type === "answered" && event.follows !== undefined) {
      const waived = { field: "its bound", reason: event.text, by: responderOf(event) };
      passedBounds.set(event.step, [...(passedBounds.get(event.step) ?? []), waived]);
    }
    if (event.type === "passed_over" && !versions.some((one) => isPassedRightly(event, stream, one)))
      problems.push(`${called(event.step)} was passed over, but its condition did not say so`);
    if (event.type !== "completed") continue;
    const recorded = recordedRoute(own.slice(at + 1));
    const expected = versions.map((one) => expectedRoute(event, stream, one));
    if (expected.length === 0 || expected.includes(recorded)) continue;
    problems.push(`${called(event.step)} ${routeWords(expected[0] ?? "")}, but the record ${routeWords(recorded)}`);
  }
  return { problems, passedBounds };
}

type RouteEvent = Event & { readonly type: "went_back" | "passed_over" | "finished" | "blocked" };

/** Tells if an event is the consequence of a route or condition. */
function isRouteEvent(event: Event): event is RouteEvent {
  if (event.type === "went_back") return event.from !== undefined;
  if (event.type === "blocked") return event.bound !== undefined;
  return event.type === "passed_over" || (event.type === "finished" && event.level === undefined);
}

/** The recorded consequences of a completion, up to the next record of another kind. */
function recordedRoute(after: readonly Event[]): string {
  const end = after.findIndex((event) => !isRouteEvent(event) && event.type !== "skipped");
  return routeText(after.slice(0, end === -1 ? after.length : end));
}

/** The consequences that a completion must have by these definitions. */
function expectedRoute(
  event: Event & { readonly type: "completed" },
  stream: StreamSnapshot,
  { workflow, plan }: RoutedDefinition,
): string {
  const run = stream.runs.get(event.workflow);
  const step = workflow.steps.find((one) => one.name === event.step);
  if (run === undefined || step === undefined) return "";
  const { workflow: name, pass, attempt, by: id, at: now } = event;
  const state = run.steps.get(step.name);
  const chosen =
    event.taken?.route === "person" ? state?.waivers?.findLast(({ follows }) => follows)?.follows : undefined;
  const ref = { workflow: name, pass, step: step.name, attempt };
  const situation = { plan, stream, caller: { id }, now };
  const following = routeAfter(step, run, stream, chosen);
  return routeText(follow(following, ref, { ...workflow, name }, stream, situation).events);
}

/** Tells if the condition of a step that was passed over was false at that moment. */
function isPassedRightly(
  { workflow: name, step }: Event & { readonly type: "passed_over" },
  stream: StreamSnapshot,
  { workflow }: RoutedDefinition,
): boolean {
  const run = stream.runs.get(name);
  const when = workflow.steps.find((one) => one.name === step)?.routing?.when;
  return run !== undefined && when !== undefined && judge(when, factsOf(run, stream)).holds === false;
}

function routeText(events: readonly Event[]): string {
  return events.filter(isRouteEvent).map(consequenceText).join(" and ");
}

function consequenceText(event: RouteEvent): string {
  switch (event.type) {
    case "went_back":
      return `leads back to ${event.step}`;
    case "passed_over":
      return `passes over ${event.step}`;
    case "finished":
      return `ends as ${event.outcome}`;
    case "blocked":
      return "stops at its bound";
  }
}

function routeWords(text: string): string {
  return text === "" ? "goes on to the next step" : text;
}
