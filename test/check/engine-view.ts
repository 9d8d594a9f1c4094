import { dirname } from "node:path";
import { independentActions } from "../../src/definitions/bots/compile.ts";
import { listWorkflows } from "../../src/definitions/disclosure/list-workflows.ts";
import { readWorkflow } from "../../src/definitions/phases/read-workflow.ts";
import { loadRules } from "../../src/definitions/rules/load-rules.ts";
import { readSettings } from "../../src/definitions/settings/team-settings.ts";
import { filesOf } from "../../src/definitions/snapshot/files-of.testing.ts";
import type { Problem } from "../../src/gates/problem.ts";
import { loadForCheck } from "../../src/lint/load-for-check.ts";
import type { Finding } from "../../src/lint/reported-finding.ts";

/** Everything that the engine closes in a definitions folder, in its own words. */
export function closedIn(definitions: string): readonly Problem[] {
  const { bots } = loadForCheck(filesOf(definitions));
  return [
    readSettings(filesOf(definitions)).problem,
    ...bots.flatMap(({ tree, workflows }) => [
      tree.broken,
      ...workflows.flatMap(({ closed, steps }) => [
        closed,
        ...steps.flatMap(({ broken, gate }) => [broken, gate?.closed]),
      ]),
    ]),
  ].filter((problem) => problem !== undefined);
}

/** The phased workflows that do not start, in the words that reach an assistant. */
export async function closedWorkflows(definitions: string): Promise<readonly Problem[]> {
  const files = filesOf(definitions);
  const readings = listWorkflows(files).map(({ type }) => readWorkflow(files, dirname(definitions), type, {}));
  return (await Promise.all(readings)).flatMap((reading) => ("problem" in reading ? [reading.problem] : []));
}

/** Tells whether check reports an error where the engine closes something. */
export function isReported({ file, code }: Problem, findings: readonly Finding[]): boolean {
  const errors = findings.filter(({ severity }) => severity === "error");
  // That no action is left follows from what is wrong with the actions.
  const follows = code === "no-actions" && errors.length > 0;
  return follows || errors.some((finding) => finding.file === file);
}

/** All that the engine makes of a definitions folder: what mending must not change. */
export function engineView(definitions: string): unknown {
  return loadForCheck(filesOf(definitions)).bots.map(({ tree, workflows, descriptions }) => ({
    name: tree.name,
    workflows,
    descriptions,
    independent: independentActions(tree),
    rules: tree.behaviors.map((behavior) => loadRules(tree, behavior)),
  }));
}
