import type { ObserveAgain } from "./audit/required.ts";
import { type Yardstick, yardstickOf } from "./audit/yardstick.ts";
import { observeEvidence } from "./checks/evidence/observe-evidence.ts";
import { readPlan } from "./definitions/bot-definitions.ts";
import { type Bots, readBots } from "./definitions/bots/live-bots.ts";
import { listWorkflows } from "./definitions/discretion/list-workflows.ts";
import { kindOf } from "./definitions/material/kinds.ts";
import { readWorkflow } from "./definitions/phases/read-workflow.ts";
import { loadRules } from "./definitions/rules/load-rules.ts";
import { sessionPlan, underSettings } from "./definitions/session-definitions.ts";
import type { WorkflowListed } from "./engine/phased-ports.ts";
import type { JsonObject } from "./evidence/json.ts";
import { type Problem, problemText } from "./evidence/problem.ts";
import { runPlaces } from "./repository/run-places.ts";
import type { Step, Workflow } from "./workflow/workflow.ts";

/** What a definitions folder says at one moment, for whoever holds walks against it. */
export type Defined = {
  /** The bots, served or not, each with its behaviors. */
  readonly bots: readonly { readonly name: string; readonly behaviors: readonly string[] }[];
  readonly workflows: readonly WorkflowListed[];
  ofBehavior(bot: string, behavior: string): Yardstick;
  ofWorkflow(type: string, options: JsonObject): Yardstick;
};

/** Looks again at what completions said of the outside, each where its walk has its files. */
export function observingAgain(): ObserveAgain {
  const places = runPlaces();
  return async ({ desk, run = desk.session?.run, area: { area } }, gate, completed) => {
    const { area: projectArea } = await places.of(area, run);
    return observeEvidence({ projectArea, isAfterwards: true }, gate, completed.evidence ?? {});
  };
}

export { layOutVersions } from "./repository/definition-versions.ts";

/** Reads a definitions folder as it stands; each workflow when it is asked for. */
export function definedIn(definitions: string, projectArea: string): Defined {
  const read = readBots(definitions);
  return {
    bots: read.bots.map(({ tree }) => ({ name: tree.name, behaviors: tree.behaviors.map(({ name }) => name) })),
    workflows: listWorkflows(definitions),
    ofBehavior: (bot, behavior) => behaviorYardstick(read, bot, behavior),
    ofWorkflow: (type, options) => {
      const reading = readWorkflow(definitions, projectArea, type, options);
      if ("unknown" in reading) return { problem: `there is no workflow ${type} in the definitions` };
      if ("invalidOptions" in reading) return { problem: `${type} cannot be read: ${reading.invalidOptions}` };
      if ("problem" in reading) return { problem: brokenBy(type, reading.problem) };
      const { settings, problem } = read.settings;
      if (problem !== undefined) return { problem: brokenBy(type, problem) };
      const walked = sessionPlan(type, reading.workflow);
      const plan = underSettings(walked, settings);
      return (
        sound(type, plan.workflows[0]) ?? yardstickOf(plan.workflows[0] ?? { name: type, steps: [] }, plan, noRules)
      );
    },
  };
}

const noRules = (): undefined => undefined;

function behaviorYardstick({ bots, settings }: Bots, bot: string, behavior: string): Yardstick {
  const live = bots.find(({ tree }) => tree.name === bot);
  const { plan, closed } = readPlan(bot, live, settings);
  const name = `${bot}.${behavior}`;
  if (closed !== undefined)
    return { problem: "problem" in closed ? brokenBy(name, closed.problem) : `${name} is gone` };
  const workflow = plan.workflows.find((one) => one.name === behavior);
  const folder = live?.tree.behaviors.find((one) => one.name === behavior);
  if (live === undefined || workflow === undefined || folder === undefined)
    return { problem: `there is no behavior ${behavior} of ${bot} in the definitions` };
  const rulesAt = (step: Step) =>
    kindOf(step.name) === "validate" || step.gate?.rulesHold === true ? loadRules(live.tree, folder).rules : undefined;
  return sound(name, workflow) ?? yardstickOf(workflow, plan, rulesAt);
}

/** Why a workflow cannot be walked as it stands; undefined where it can. */
function sound(name: string, workflow: Workflow | undefined): { readonly problem: string } | undefined {
  const [problem] = [
    workflow?.closed,
    ...(workflow?.steps ?? []).flatMap(({ broken, gate }) => [broken, gate?.closed]),
  ].filter((one) => one !== undefined);
  if (problem !== undefined) return { problem: brokenBy(name, problem) };
  return (workflow?.steps.length ?? 0) > 0 ? undefined : { problem: `${name} has no steps` };
}

function brokenBy(name: string, problem: Problem): string {
  return `${name} is broken: ${problem.file}: ${problemText(problem)}`;
}
