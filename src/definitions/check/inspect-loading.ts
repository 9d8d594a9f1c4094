import { dirname, join } from "node:path";
import type { Problem } from "../../evidence/problem.ts";
import { chooseServed } from "../bots/served.ts";
import { type FindingCode, findingCodes } from "../codes.ts";
import type { Flaw } from "../problem.ts";
import { readSettings } from "../settings.ts";
import type { Noted } from "./finding.ts";
import { findDangling } from "./inspect-sequences.ts";
import type { Survey } from "./survey.ts";

/** Reports everything that the loader itself says of a definitions folder: what it closes, leaves out or reads otherwise than written. */
export function inspectLoading(survey: Survey, root: string): Noted[] {
  const { definitions, bots, problems } = survey;
  const trees = bots.map(({ tree }) => tree);
  const served = chooseServed(trees, { root, projectArea: root });
  const said = [
    ...closedIn(survey),
    ...[...problems, ...served.problems, ...bots.flatMap(findDangling), ...trees.flatMap((tree) => tree.problems)],
  ];
  const isActionBroken = trees.some((tree) => tree.actions.some(({ broken, stray }) => broken !== undefined && !stray));
  // Where a config cannot be read, that is the finding, not the sequence that lacks it.
  return said
    .map((problem) => noteProblem(definitions, problem))
    .filter(({ code }) => !isActionBroken || code !== "no-actions");
}

/** Everything but gates that the engine closes. */
function closedIn({ definitions, bots }: Survey): readonly Problem[] {
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

/** A problem that the loader found, as a finding. */
export function noteProblem(definitions: string, problem: Problem & Pick<Flaw, "mend">): Noted {
  const { code, file, line = 1, message, fix = "Mend what stands there, or delete it.", mend } = problem;
  const known: FindingCode = isFindingCode(code) ? code : "cannot-be-used";
  const path = join(dirname(definitions), file);
  return { code: known, path, line, message, fix, ...(mend === undefined ? {} : { mend }) };
}

function isFindingCode(code: string | undefined): code is FindingCode {
  return code !== undefined && Object.hasOwn(findingCodes, code);
}
