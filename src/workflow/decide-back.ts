import type { BackCommand } from "./command.ts";
import type { Situation } from "./decide.ts";
import { stepsAfter } from "./decide-open.ts";
import { isSatisfied } from "./desk.ts";
import type { StepRef } from "./events.ts";
import type { Decision } from "./outcome.ts";
import { aheadOf, noWorkflow, unknownStep } from "./refusals.ts";
import { inFocus, locate } from "./route.ts";

/** Decides a person's wish to do a completed step again: it and what followed are superseded, and whoever comes next opens it. */
export function decideBack(command: BackCommand, situation: Situation): Decision {
  const { plan, desk, caller, now } = situation;
  const workflow =
    command.workflow === undefined ? inFocus(plan, desk) : plan.workflows.find(({ name }) => name === command.workflow);
  if (workflow === undefined) return noWorkflow(plan, command.workflow);
  const place = locate(desk, workflow);
  const step = place.steps.find(({ name }) => name === command.step);
  if (step === undefined) return unknownStep(command.step, place, plan);
  const state = place.run.steps.get(step.name);
  if (state === undefined || !isSatisfied(state)) return aheadOf(step.name, place, situation);
  const ref: StepRef = { workflow: workflow.name, pass: place.run.pass, step: step.name, attempt: state.attempt };
  const wentBack = { type: "went_back", at: now, by: caller.id, ...ref, supersedes: stepsAfter(step, place) } as const;
  return { events: [wentBack], outcome: { kind: "gone_back", ref }, warnings: [] };
}
