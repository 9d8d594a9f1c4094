import { basename, extname, join } from "node:path";
import { asName } from "../bots/names.ts";
import { listFolder } from "../folder.ts";
import { findNearMiss } from "../near-miss.ts";
import type { Noted } from "./finding.ts";
import type { Survey } from "./survey.ts";

/** Reports files that are named almost like one that Waymark reads, and so are passed over without a word. */
export function inspectFileNames({ definitions, bots, actionFolders }: Survey): Noted[] {
  const behaviors = bots.flatMap(({ tree }) => tree.behaviors);
  const actions = [
    ...actionFolders.map(({ path }) => path),
    ...behaviors.flatMap(({ overrides = [] }) => overrides.map(({ folder }) => folder)),
  ];
  return [
    ...misspeltIn(definitions, settingsFiles),
    ...bots.flatMap(({ tree }) => misspeltIn(tree.folder, botFiles)),
    ...behaviors.flatMap(({ folder }) => (folder === undefined ? [] : misspeltIn(folder, behaviorFiles))),
    ...actions.flatMap((folder) => misspeltIn(folder, actionFiles)),
  ];
}

type Names = Readonly<Record<string, readonly string[]>>;

const json = [".json"];
const either = [".json", ".md"];
const settingsFiles: Names = { config: json };
const botFiles: Names = { bot_config: json };
const actionFiles: Names = { action_config: json, instructions: either };
const behaviorFiles: Names = {
  instructions: either,
  behavior: json,
  behavior_config: json,
  trigger_words: json,
  key_questions: either,
  questions: either,
  required_context: either,
  evidence: either,
  planning_criteria: either,
  decision_criteria: either,
  criteria: either,
  typical_assumptions: either,
  assumptions: either,
  knowledge_schema: either,
  knowledge_template: either,
};

function misspeltIn(folder: string, names: Names): Noted[] {
  return listFolder(folder).files.flatMap((file): Noted[] => {
    const ending = extname(file).toLowerCase();
    if (!/^\.(?:json|jsonc|json5|md|markdown|txt|ya?ml)$/.test(ending)) return [];
    const stem = asName(basename(file, extname(file)));
    const meant = Object.hasOwn(names, stem) ? stem : findNearMiss(stem, Object.keys(names));
    const endings = meant === undefined ? undefined : names[meant];
    if (meant === undefined || endings === undefined || (meant === stem && endings.includes(ending))) return [];
    const wanted = `${meant}${endings.includes(ending) ? ending : endings[0]}`;
    const message = `${file} is not read: it is named almost like ${wanted}`;
    return [
      {
        code: "misspelt-file",
        path: join(folder, file),
        line: 1,
        message,
        fix: `Rename it to ${wanted}, or to something else altogether.`,
      },
    ];
  });
}
