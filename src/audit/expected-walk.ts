import type { ApprovalRule } from "../gates/approval-rule.ts";
import type { Condition } from "../gates/condition.ts";
import type { Gate } from "../gates/gate.ts";
import { type JudgedBy, readJudgedBy } from "../gates/judged-by.ts";
import type { Rule } from "../gates/rule.ts";
import { approvalNeed, judgedByHash } from "../workflow/judged-by-hash.ts";
import { requiredApproval } from "../workflow/required-approval.ts";
import type { Plan, Step, Workflow } from "../workflow/workflow.ts";

/** The workflow a walk is compared with, in one version of the definitions; or the reason it cannot be. */
export type ExpectedWalk =
  | { readonly problem: string }
  | {
      readonly steps: readonly DefinedStep[];
      /** The workflow and its plan, for deciding its routes again. */
      readonly workflow: Workflow;
      readonly plan: Plan;
      /** The team settings that apply, in words. */
      readonly settings: string | undefined;
      /** The workflows that must be finished first, in order; empty if order does not matter. */
      readonly before: readonly EarlierWorkflow[];
    };

/** A workflow that comes first, with its required steps. */
export type EarlierWorkflow = { readonly name: string; readonly steps: readonly string[] };

/** One step as defined. */
export type DefinedStep = {
  readonly name: string;
  readonly skip: string | undefined;
  readonly needsPerson: ReturnType<typeof approvalNeed>;
  readonly gate: Gate | undefined;
  /** The condition of its approval. */
  readonly approvalWhen: Condition | undefined;
  /** The approval it requires, if any. */
  readonly requiredApproval: ApprovalRule;
  readonly judgedBy: Pick<JudgedBy, "gate" | "sequence">;
  /** The rules run over its content; undefined if none. */
  readonly rules: readonly Rule[] | undefined;
};

/** Builds the expected walk of a usable workflow. */
export function expectedWalkOf(
  workflow: Workflow,
  plan: Plan,
  rulesAt: (step: Step) => readonly Rule[] | undefined,
): ExpectedWalk {
  const at = plan.workflows.findIndex(({ name }) => name === workflow.name);
  const before = plan.ordered ? plan.workflows.slice(0, Math.max(0, at)) : [];
  return {
    workflow,
    plan,
    settings: plan.settings,
    before: before.map(({ name, steps }) => ({
      name,
      steps: steps.filter(({ skip }) => skip === undefined).map((step) => step.name),
    })),
    steps: workflow.steps.map((step) => ({
      name: step.name,
      skip: step.skip,
      needsPerson: approvalNeed(step),
      gate: step.gate,
      approvalWhen: step.routing?.approvalWhen,
      requiredApproval: requiredApproval(step.gate, plan),
      judgedBy: parseJudgedBy(judgedByHash(step, workflow, plan)),
      rules: rulesAt(step),
    })),
  };
}

function parseJudgedBy(text: string): Pick<JudgedBy, "gate" | "sequence"> {
  const read = readJudgedBy(text);
  if (read === undefined || "form" in read) throw new Error(`Not what judgedBy writes: ${text}`);
  return read;
}
