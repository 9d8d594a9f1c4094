import { type ExpectedWalk, expectedWalkOf } from "../audit/expected-walk.ts";
import type { ObserveAgain } from "../audit/walk-sources.ts";
import { observeEvidence } from "../checks/evidence/observe-evidence.ts";
import { readPlan } from "../definitions/bot-definitions.ts";
import { type Bots, botsIn } from "../definitions/bots/live-bots.ts";
import { actionKindOf } from "../definitions/content/action-kinds.ts";
import { listWorkflows } from "../definitions/disclosure/list-workflows.ts";
import { readWorkflow } from "../definitions/phases/read-workflow.ts";
import { loadRules } from "../definitions/rules/load-rules.ts";
import { applySettings, sessionPlan } from "../definitions/session-definitions.ts";
import { readSnapshot } from "../definitions/snapshot/keep-snapshot.ts";
import type { DefinitionSnapshot } from "../engine/ports/definition-snapshot.ts";
import type { WorkflowListing } from "../engine/ports/phased.ts";
import { type Problem, problemText } from "../gates/problem.ts";
import type { JsonObject } from "../kit/json.ts";
import { findRunFolders } from "../repository/run-folders.ts";
import type { Step, Workflow } from "../workflow/workflow.ts";

/** A definitions folder at one moment, to compare walks with. */
export type DefinedWalks = {
  /** The bots, served or not, each with its behaviors. */
  readonly bots: readonly { readonly name: string; readonly behaviors: readonly string[] }[];
  readonly workflows: readonly WorkflowListing[];
  ofBehavior(bot: string, behavior: string): ExpectedWalk;
  ofWorkflow(type: string, options: JsonObject): Promise<ExpectedWalk>;
};

/** Observes again what completions claimed about the outside, each in its walk's own work tree. */
export function reobserveEvidence(): ObserveAgain {
  const places = findRunFolders();
  return async ({ stream, run = stream.session?.run, area: { area } }, gate, completed) => {
    const { area: projectArea } = await places.of(area, run);
    return observeEvidence({ projectArea, isAfterwards: true }, gate, completed.evidence ?? {});
  };
}

export { checkOutVersions } from "../repository/definition-versions.ts";

/** Reads a definitions folder as it is; each workflow on demand. */
export async function readDefinedWalks(folder: string, projectArea: string): Promise<DefinedWalks> {
  const definitions = await readSnapshot(folder);
  const read = botsIn(definitions);
  return {
    bots: read.bots.map(({ tree }) => ({ name: tree.name, behaviors: tree.behaviors.map(({ name }) => name) })),
    workflows: listWorkflows(definitions),
    ofBehavior: (bot, behavior) => expectedBehaviorWalk(definitions, read, bot, behavior),
    ofWorkflow: async (type, options) => {
      const reading = await readWorkflow(definitions, projectArea, type, options);
      if ("unknown" in reading) return { problem: `there is no workflow ${type} in the definitions` };
      if ("invalidOptions" in reading) return { problem: `${type} cannot be read: ${reading.invalidOptions}` };
      if ("problem" in reading) return { problem: problemMessage(type, reading.problem) };
      const { settings, problem } = read.settings;
      if (problem !== undefined) return { problem: problemMessage(type, problem) };
      const walked = sessionPlan(type, reading.workflow);
      const plan = applySettings(walked, settings);
      return (
        definitionProblem(type, plan.workflows[0]) ??
        expectedWalkOf(plan.workflows[0] ?? { name: type, steps: [] }, plan, noRules)
      );
    },
  };
}

const noRules = (): undefined => undefined;

function expectedBehaviorWalk(
  _definitions: DefinitionSnapshot,
  { bots, settings }: Bots,
  bot: string,
  behavior: string,
): ExpectedWalk {
  const live = bots.find(({ tree }) => tree.name === bot);
  const { plan, closed } = readPlan(bot, live, settings);
  const name = `${bot}.${behavior}`;
  if (closed !== undefined)
    return { problem: "problem" in closed ? problemMessage(name, closed.problem) : `${name} is gone` };
  const workflow = plan.workflows.find((one) => one.name === behavior);
  const folder = live?.tree.behaviors.find((one) => one.name === behavior);
  if (live === undefined || workflow === undefined || folder === undefined)
    return { problem: `there is no behavior ${behavior} of ${bot} in the definitions` };
  const rulesAt = (step: Step) =>
    actionKindOf(step.name) === "validate" || step.gate?.rulesHold === true
      ? loadRules(live.tree, folder).rules
      : undefined;
  return definitionProblem(name, workflow) ?? expectedWalkOf(workflow, plan, rulesAt);
}

/** The reason a workflow cannot be walked as it is; undefined if it can. */
function definitionProblem(name: string, workflow: Workflow | undefined): { readonly problem: string } | undefined {
  const [problem] = [
    workflow?.closed,
    ...(workflow?.steps ?? []).flatMap(({ broken, gate }) => [broken, gate?.closed]),
  ].filter((one) => one !== undefined);
  if (problem !== undefined) return { problem: problemMessage(name, problem) };
  return (workflow?.steps.length ?? 0) > 0 ? undefined : { problem: `${name} has no steps` };
}

function problemMessage(name: string, problem: Problem): string {
  return `${name} is broken: ${problem.file}: ${problemText(problem)}`;
}
