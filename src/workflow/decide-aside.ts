import { type CompleteCommand, type OpenCommand, secondsBetween, stampOf } from "./command.ts";
import type { Situation } from "./decide.ts";
import type { Event } from "./events.ts";
import type { Decision } from "./outcome.ts";
import { refuse } from "./refusals.ts";
import { inFocus } from "./route.ts";
import type { Workflow } from "./workflow.ts";

/** Decides the opening of a step outside the sequence. */
export function openAside(
  command: OpenCommand,
  step: string,
  { name: workflow }: Workflow,
  { caller, now }: Situation,
): Decision {
  const inputs = command.inputs === undefined ? {} : { inputs: command.inputs };
  const event: Event = { type: "aside_started", ...stampOf(caller, now), workflow, step, ...inputs };
  return { events: [event], outcome: { kind: "aside_opened", workflow, step }, notices: [] };
}

/** The independent step that a completion means: the named one, or the only thing that this caller opened. */
export function asideMeant(command: CompleteCommand, { plan, desk, caller }: Situation): string | undefined {
  if (command.step !== undefined) return plan.independent.includes(command.step) ? command.step : undefined;
  if (desk.standings.has(caller.id)) return undefined;
  return [...desk.asides].find(([, { status, openedBy }]) => status === "started" && openedBy === caller.id)?.[0];
}

/** Decides the completion of a step outside the sequence: it needs no one's word and moves nothing. */
export function completeAside(command: CompleteCommand, step: string, situation: Situation): Decision {
  const { plan, desk, caller, now } = situation;
  const workflow = command.workflow ?? inFocus(plan, desk)?.name ?? "";
  const state = desk.asides.get(step);
  const outcome = { kind: "aside_completed", workflow, step } as const;
  if (state?.status === "completed" && state.fingerprint === command.fingerprint)
    return { events: [], outcome, notices: [] };
  if (state?.status !== "started") return refuse(null, null, { kind: "aside_not_open", step });
  const completed: Event = {
    type: "aside_completed",
    ...stampOf(caller, now),
    workflow,
    step,
    duration: secondsBetween(state.startedAt, now),
    fingerprint: command.fingerprint,
    ...(command.handed.outputs === undefined ? {} : { outputs: command.handed.outputs }),
  };
  return { events: [completed], outcome, notices: [] };
}
