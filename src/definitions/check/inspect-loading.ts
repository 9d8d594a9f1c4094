import { dirname, join } from "node:path";
import type { Problem } from "../../workflow/workflow.ts";
import { chooseServed } from "../bots/served.ts";
import { readSettings } from "../settings.ts";
import type { Noted } from "./finding.ts";
import { readSource } from "./json-source.ts";
import { meaningOf } from "./loader-words.ts";
import { didYouMean } from "./near-miss.ts";
import type { Survey } from "./survey.ts";

/** Reports everything that the loader itself says of a definitions folder: what it closes, leaves out or reads otherwise than written. */
export function inspectLoading(survey: Survey, root: string): Noted[] {
  const { definitions, bots, problems } = survey;
  const { problem: inSettings } = readSettings(definitions);
  const trees = bots.map(({ tree }) => tree);
  const served = chooseServed(trees, { root, projectArea: root, atWork: () => [] });
  const all = [
    ...problems,
    ...(inSettings === undefined ? [] : [inSettings]),
    ...served.problems,
    ...bots.flatMap(({ tree, workflows }) => [
      ...tree.problems,
      ...tree.behaviors.flatMap(({ broken }) => broken ?? []),
      ...workflows.flatMap(({ closed, steps }) => [closed ?? [], ...steps.map((step) => step.broken ?? [])].flat()),
    ]),
  ];
  const actions = trees.flatMap((tree) => tree.actions.map(({ name }) => name));
  const noted = all.map((problem) => withHint(noteProblem(definitions, problem), actions));
  const isActionBroken = bots.some(({ tree }) =>
    tree.actions.some(({ broken, stray }) => broken !== undefined && !stray),
  );
  // Where a config cannot be read, that is the finding, not the sequence that lacks it.
  return isActionBroken ? noted.filter(({ code }) => code !== "no-actions") : noted;
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
