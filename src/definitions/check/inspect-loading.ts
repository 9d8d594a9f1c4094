import { dirname, join } from "node:path";
import type { Problem } from "../../workflow/workflow.ts";
import { chooseServed } from "../bots/served.ts";
import { readSettings } from "../settings.ts";
import { findingCodes } from "./codes.ts";
import type { Noted } from "./finding.ts";
import { findDangling } from "./inspect-sequences.ts";
import { readSource } from "./json-source.ts";
import { meaningOf } from "./loader-words.ts";
import { didYouMean } from "./near-miss.ts";
import type { Survey } from "./survey.ts";

/** Reports everything that the loader itself says of a definitions folder: what it closes, leaves out or reads otherwise than written. */
export function inspectLoading(survey: Survey, root: string): Noted[] {
  const { definitions, bots, problems } = survey;
  const trees = bots.map(({ tree }) => tree);
  const served = chooseServed(trees, { root, projectArea: root, atWork: () => [] });
  const actions = trees.flatMap((tree) => tree.actions.map(({ name }) => name));
  const note = (problem: Problem): Noted => withHint(noteProblem(definitions, problem), actions);
  const noted = [
    ...closedIn(survey).map((problem) => asError(note(problem))),
    ...[...problems, ...served.problems, ...bots.flatMap(findDangling), ...trees.flatMap((tree) => tree.problems)].map(
      note,
    ),
  ];
  const isActionBroken = trees.some((tree) => tree.actions.some(({ broken, stray }) => broken !== undefined && !stray));
  // Where a config cannot be read, that is the finding, not the sequence that lacks it.
  return isActionBroken ? noted.filter(({ code }) => code !== "no-actions") : noted;
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

/** What the engine closes is an error, whatever its words are taken for. */
function asError(noted: Noted): Noted {
  return findingCodes[noted.code].severity === "error" ? noted : { ...noted, code: "cannot-be-used" };
}

/** Puts a problem that the loader found into the words of a finding, with its line. */
export function noteProblem(definitions: string, { file, message }: Problem): Noted {
  const path = join(dirname(definitions), file);
  const source = file.endsWith(".json") ? readSource(path) : undefined;
  if (source !== undefined && "trouble" in source) return source.trouble;
  const { code, fix, at = [], mend } = meaningOf(message, source?.value);
  const line = source?.lineOf(at) ?? 1;
  return { code, path, line, message, fix, ...(mend === undefined ? {} : { mend }) };
}

/** A name that leads nowhere is most often a misspelt one. */
function withHint(noted: Noted, actions: readonly string[]): Noted {
  const name = /^next_action "(.+)" of .+ does not exist$|^(.+) is listed as an action|has no action (.+)$/s.exec(
    noted.message,
  );
  const written = name?.slice(1).find((part) => part !== undefined);
  return written === undefined ? noted : { ...noted, message: noted.message + didYouMean(written, actions) };
}
