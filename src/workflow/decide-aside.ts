import type { CompleteCommand, OpenCommand } from "./command.ts";
import type { Situation } from "./decide.ts";
import { secondsBetween } from "./duration.ts";
import type { Event } from "./events.ts";
import type { Decision } from "./outcome.ts";
import { refuse } from "./refusals.ts";
import { inFocus } from "./route.ts";
import type { Workflow } from "./workflow.ts";

/** Decides the opening of a step outside the sequence. */
export function openAside(
  command: OpenCommand,
  step: string,
  workflow: Workflow,
  { caller, now }: Situation,
): Decision {
  const inputs = command.inputs === undefined ? {} : { inputs: command.inputs };
  const event: Event = { type: "aside_started", at: now, by: caller.id, workflow: workflow.name, step, ...inputs };
  return { events: [event], outcome: { kind: "aside_opened", workflow: workflow.name, step }, warnings: [] };
}

/** The independent step that a completion means: the named one, or the only thing this connection opened. */
export function asideMeant(command: CompleteCommand, { plan, caller }: Situation): string | undefined {
  if (command.step !== undefined) return plan.independent.includes(command.step) ? command.step : undefined;
  return caller.opened === null && caller.openedAside !== null ? caller.openedAside : undefined;
}

/** Decides the completion of a step outside the sequence: it needs no one's word and moves nothing. */
export function completeAside(command: CompleteCommand, step: string, situation: Situation): Decision {
  const { plan, desk, caller, now } = situation;
  const workflow = command.workflow ?? inFocus(plan, desk)?.name ?? "";
  const state = desk.asides.get(step);
  const outcome = { kind: "aside_completed", workflow, step } as const;
  if (state?.status === "completed" && state.fingerprint === command.fingerprint)
    return { events: [], outcome, warnings: [] };
  if (state?.status !== "started") {
    return refuse(null, null, {
      error: "action_sequence_violation",
      message: `${step} is not open.`,
      required_action: `Open it first: call the bot's tool with action "${step}".`,
    });
  }
  const completed: Event = {
    type: "aside_completed",
    at: now,
    by: caller.id,
    workflow,
    step,
    duration: secondsBetween(state.startedAt, now),
    fingerprint: command.fingerprint,
    ...(command.handed.outputs === undefined ? {} : { outputs: command.handed.outputs }),
  };
  return { events: [completed], outcome, warnings: [] };
}
