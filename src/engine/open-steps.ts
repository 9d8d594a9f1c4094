import type { ApprovalRule } from "../gates/approval-rule.ts";
import { statedRun } from "../gates/approval-statement.ts";
import type { Gate } from "../gates/gate.ts";
import { fieldsWaivedWith, waivableNames } from "../gates/waiver.ts";
import { defined } from "../kit/defined.ts";
import { continuations, routedFields } from "../workflow/decide-blocked.ts";
import type { StepRef } from "../workflow/events.ts";
import { positionIn } from "../workflow/position.ts";
import { refOf } from "../workflow/refuse.ts";
import { requiredApproval } from "../workflow/required-approval.ts";
import { isOpen, type StepState } from "../workflow/stream-snapshot.ts";
import type { Step } from "../workflow/workflow.ts";
import type { EngineDeps } from "./engine-deps.ts";
import { historyName } from "./prove-approvals.ts";
import { readStream } from "./transact.ts";

/** An open step, with everything that a person's answer or waiver states. */
export type OpenStepReview = {
  readonly ref: StepRef;
  readonly state: StepState;
  /** The author's title. */
  readonly title?: string;
  /** Its gate, and the approval that a waiver needs. */
  readonly gate?: Gate;
  readonly needs: ApprovalRule;
  /** The names whose waiver takes a field that its routes read, what can follow if they are waived, and how the run can end. */
  readonly routed: readonly string[];
  readonly continuations: readonly string[];
  readonly outcomes: readonly string[];
  /** The project and stream, as signed statements name them. */
  readonly project: string;
  readonly first: string | undefined;
  readonly run: string;
};

/** Lists the open steps of a stream, blocked ones first. Records nothing. */
export async function openStepReviews(deps: EngineDeps): Promise<readonly OpenStepReview[]> {
  const { reading, snapshot } = await readStream(deps);
  const { plan } = reading;
  const { stream } = snapshot;
  if (stream.archivedAt !== null) return [];
  const history = await historyName(deps.log, deps.id);
  const found = plan.workflows.flatMap((workflow): OpenStepReview[] => {
    const position = positionIn(stream, workflow);
    const { current, run } = position;
    const state = current === null ? undefined : run.steps.get(current.name);
    if (current === null || state === undefined || !isOpen(state)) return [];
    const { gate, title, name } = current;
    const stated = { ...history, run: statedRun(deps.id) };
    const needs = requiredApproval(gate, plan);
    const ways = {
      routed: routedNames(current),
      continuations: continuations(position, name),
      outcomes: (workflow.outcomes ?? []).filter((one) => one !== "done"),
    };
    return [{ ref: refOf(run, name), state, ...defined({ title, gate }), needs, ...ways, ...stated }];
  });
  return found.sort((a, b) => Number(b.state.blocked !== undefined) - Number(a.state.blocked !== undefined));
}

function routedNames({ gate, routing }: Step): readonly string[] {
  const read = routedFields(routing);
  return waivableNames(gate).filter((name) => fieldsWaivedWith(gate, [name]).some((field) => read.includes(field)));
}
