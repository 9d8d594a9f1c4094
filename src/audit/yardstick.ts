import type { Approval } from "../evidence/approval.ts";
import type { Gate } from "../evidence/gate.ts";
import { type JudgedBy, readJudgedBy } from "../evidence/judged-by.ts";
import type { Rule } from "../evidence/rule.ts";
import { judgedBy, personNeeded } from "../workflow/judged.ts";
import { wordAsked } from "../workflow/need.ts";
import type { Plan, Step, Workflow } from "../workflow/workflow.ts";

/** What a walk is held against: a workflow as one version of the definitions has it; or why nothing can be held against it. */
export type Yardstick =
  | { readonly problem: string }
  | {
      readonly steps: readonly StepAsDefined[];
      /** The team's settings that decide, in words. */
      readonly settings: string | undefined;
      /** The workflows that must be finished before this one, in their order; none where they are walked in any. */
      readonly before: readonly WorkflowBefore[];
    };

/** A workflow that comes before another, with the steps that must be done of it. */
export type WorkflowBefore = { readonly name: string; readonly steps: readonly string[] };

/** One step as the definitions have it. */
export type StepAsDefined = {
  readonly name: string;
  readonly skip: string | undefined;
  readonly needsPerson: ReturnType<typeof personNeeded>;
  readonly gate: Gate | undefined;
  /** What a person's word must be where one is needed. */
  readonly asks: Approval;
  readonly judgedBy: Pick<JudgedBy, "gate" | "sequence">;
  /** The rules that are run over its content; undefined where none are. */
  readonly rules: readonly Rule[] | undefined;
};

/** Makes the yardstick of a workflow that can be walked. */
export function yardstickOf(
  workflow: Workflow,
  plan: Plan,
  rulesAt: (step: Step) => readonly Rule[] | undefined,
): Yardstick {
  const at = plan.workflows.findIndex(({ name }) => name === workflow.name);
  const before = plan.ordered ? plan.workflows.slice(0, Math.max(0, at)) : [];
  return {
    settings: plan.settings,
    before: before.map(({ name, steps }) => ({
      name,
      steps: steps.filter(({ skip }) => skip === undefined).map((step) => step.name),
    })),
    steps: workflow.steps.map((step) => ({
      name: step.name,
      skip: step.skip,
      needsPerson: personNeeded(step),
      gate: step.gate,
      asks: wordAsked(step.gate, plan),
      judgedBy: partsOf(judgedBy(step, workflow, plan)),
      rules: rulesAt(step),
    })),
  };
}

function partsOf(text: string): Pick<JudgedBy, "gate" | "sequence"> {
  const read = readJudgedBy(text);
  if (read === undefined || "form" in read) throw new Error(`Not what judgedBy writes: ${text}`);
  return read;
}
