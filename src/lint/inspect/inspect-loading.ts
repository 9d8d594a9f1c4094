import { dirname, join } from "node:path";
import { chooseServed } from "../../definitions/bots/choose-served.ts";
import { type FindingCode, findingCodes } from "../../definitions/finding-codes.ts";
import type { LoaderProblem } from "../../definitions/loader-problem.ts";
import { readSettings } from "../../definitions/settings/team-settings.ts";
import type { Problem } from "../../gates/problem.ts";
import { defined } from "../../kit/defined.ts";
import type { DefinitionsSurvey } from "../load-for-check.ts";
import type { ReportedFinding } from "../reported-finding.ts";
import { findDangling } from "./inspect-sequences.ts";

/** Reports every problem that the loader itself finds in a definitions folder. */
export function inspectLoading(survey: DefinitionsSurvey, root: string): ReportedFinding[] {
  const { definitions, bots, problems } = survey;
  const trees = bots.map(({ tree }) => tree);
  const served = chooseServed(definitions, trees, { root, projectArea: root });
  const said = [
    ...closedIn(survey),
    ...[
      ...problems,
      ...served.problems,
      ...bots.flatMap((bot) => findDangling(bot)),
      ...trees.flatMap((tree) => tree.problems),
    ],
  ];
  const isActionBroken = trees.some((tree) => tree.actions.some(({ broken, stray }) => broken !== undefined && !stray));
  // If a config is unreadable, that is the finding, not the sequence it leaves empty.
  return said
    .map((problem) => noteProblem(survey.definitions.folder, problem))
    .filter(({ code }) => !isActionBroken || code !== "no-actions");
}

/** Every problem that closes something other than a gate. */
function closedIn({ definitions, bots }: DefinitionsSurvey): readonly Problem[] {
  const closed = [
    readSettings(definitions).problem,
    ...bots.flatMap(({ tree, workflows }) => [
      tree.broken,
      ...tree.behaviors.map(({ broken }) => broken),
      ...workflows.flatMap(({ closed, steps }) => [closed, ...steps.map(({ broken }) => broken)]),
    ]),
  ];
  return closed.filter((problem) => problem !== undefined);
}

/** Turns a problem of the loader into a finding. */
export function noteProblem(definitions: string, problem: Problem & Pick<LoaderProblem, "edit">): ReportedFinding {
  const { code, file, line = 1, message, fix = "Fix it or delete it.", edit } = problem;
  const known: FindingCode = isFindingCode(code) ? code : "cannot-be-used";
  const path = join(dirname(definitions), file);
  return { code: known, path, line, message, fix, ...defined({ edit }) };
}

function isFindingCode(code: string | undefined): code is FindingCode {
  return code !== undefined && Object.hasOwn(findingCodes, code);
}
