import { basename, join } from "node:path";
import { isObject, type Json, type JsonObject } from "../../kit/json.ts";
import { actionConfigFile } from "../bots/action-config-file.ts";
import { readBehaviorConfig } from "../bots/behavior-config.ts";
import { normalizeName } from "../bots/definition-names.ts";
import { describeBehavior, describeBot } from "../bots/tool-descriptions.ts";
import { readJson, readText } from "../files/json-file.ts";
import { type JsonProblem, type LoaderProblem, locateProblem } from "../loader-problem.ts";
import { textIn, textsIn } from "../rules/text-in.ts";
import { listFolder } from "../snapshot/list-folder.ts";
import { findFolders } from "./find-material-files.ts";
import { type LeadText, type MaterialSource, unusableFile } from "./material-source.ts";

/** A text for the assistant; background applies to every action of the behavior. */
export type Instruction = LeadText & { readonly isBackground: boolean };

/** Reads the instructions of a step: from the action, from bot and behavior, and from the behavior for this action. */
export function readInstructions(source: MaterialSource, step: string, problems: LoaderProblem[]): Instruction[] {
  const own = (leads: readonly LeadText[]): Instruction[] => leads.map((lead) => ({ ...lead, isBackground: false }));
  return [
    ...own(ofAction(source, step, problems)),
    ...background(source, problems).map((lead) => ({ ...lead, isBackground: true })),
    ...own(ofBehaviorForAction(source, step, problems)),
  ];
}

/** Reads the instruction files of a folder. */
export function instructionsIn(source: MaterialSource, folder: string, problems: LoaderProblem[]): LeadText[] {
  return listFolder(source.definitions, folder)
    .files.filter((file) => /^instructions\.(md|json|txt)$/i.test(file))
    .sort()
    .reverse() // Markdown before JSON
    .flatMap((name) => {
      const path = join(folder, name);
      const text = /\.json$/i.test(name) ? inJson(source, path, problems) : readText(source.definitions, path)?.trim();
      if (text === "") problems.push(locateProblem(source.definitions, path, holdsNone));
      return text === undefined || text === "" ? [] : [{ text, path }];
    });
}

function ofAction(source: MaterialSource, step: string, problems: LoaderProblem[]): LeadText[] {
  const action = source.tree.actions.find(({ name }) => name === step);
  return action === undefined ? [] : inActionFolder(source, action.folder, problems);
}

/** Reads instructions from an action's folder, including its config and description. */
function inActionFolder(source: MaterialSource, folder: string, problems: LoaderProblem[]): LeadText[] {
  const path = join(folder, actionConfigFile);
  const read = listFolder(source.definitions, folder).files.includes(actionConfigFile)
    ? readJson(source.definitions, path)
    : undefined;
  const config: JsonObject = read !== undefined && "value" in read && isObject(read.value) ? read.value : {};
  return [
    ...leadsFrom(path, [config.description, ...textsIn(config.instructions)]),
    ...instructionsIn(source, folder, problems),
  ];
}

function background(source: MaterialSource, problems: LoaderProblem[]): LeadText[] {
  const { tree, behavior } = source;
  const configPath = join(source.definitions.folder, "..", tree.configFile);
  const ofBot = [
    // The tool already shows the description.
    ...leadsFrom(configPath, [
      ...(describeBot(tree).isCut ? [tree.description] : []),
      ...labelled("Goal", tree.description === undefined ? undefined : tree.config.goal),
      ...textsIn(tree.config.instructions),
    ]),
    ...instructionsIn(source, tree.folder, problems),
    ...instructionsIn(source, join(tree.folder, "config"), problems),
  ];
  if (behavior.folder === undefined) return ofBot;
  const { path = behavior.folder, config } = readBehaviorConfig(
    source.definitions,
    behavior.folder,
    listFolder(source.definitions, behavior.folder),
  );
  const { text, isCut } = describeBehavior(source.definitions, behavior);
  const goal = textIn(config.goal);
  return [
    ...ofBot,
    ...leadsFrom(path, [
      ...(isCut ? [textIn(config.description)] : []),
      ...(text.startsWith(goal) ? [] : labelled("Goal", config.goal)),
      ...labelled("Inputs", config.inputs),
      ...labelled("Outputs", config.outputs),
      ...textsIn(config.instructions),
    ]),
    ...instructionsIn(source, behavior.folder, problems),
  ];
}

function ofBehaviorForAction(source: MaterialSource, step: string, problems: LoaderProblem[]): LeadText[] {
  const { tree, behavior } = source;
  const action = tree.actions.find(({ name }) => name === step);
  const names = new Set([step, ...(action === undefined ? [] : [normalizeName(basename(action.folder))])]);
  const listed = [...(behavior.actions ?? []), ...(behavior.independent ?? [])].find(({ name }) => name === step);
  return [
    ...[...names]
      .flatMap((name) => findFolders(source.definitions, behavior.folder, name))
      .flatMap((folder) => inActionFolder(source, folder, problems)),
    ...leadsFrom(behavior.actionsFile ?? "", textsIn(listed?.instructions)),
  ];
}

function labelled(label: string, value: Json | undefined): string[] {
  const texts = textsIn(value);
  if (texts.length < 2) return texts.map((text) => `${label}: ${text}`);
  return [`${label}:`, ...texts.map((text) => `- ${text}`)];
}

function leadsFrom(path: string, lines: readonly (Json | undefined)[]): LeadText[] {
  const text = lines
    .map((line) => textIn(line))
    .filter((line) => line !== "")
    .join("\n");
  return text === "" ? [] : [{ text, path }];
}

const holdsNone: JsonProblem = {
  code: "missing-instructions",
  message: "the file has no instructions",
  fix: "Write what to do and what to submit, or delete the file.",
};

/** Keys that describe the file, not the work. */
const ofTheFile = ["name", "behaviorName", "behavior", "action", "order", "type", "version", "$schema", "comment"];

/** The instructions of a JSON file, and its other keys with their values. */
function inJson(source: MaterialSource, path: string, problems: LoaderProblem[]): string | undefined {
  const read = readJson(source.definitions, path);
  if ("malformed" in read) problems.push(unusableFile(source, path, read));
  if (!("value" in read)) return undefined;
  const { value } = read;
  if (!isObject(value)) return textsIn(value).join("\n");
  const { instructions, ...others } = value;
  const more = Object.entries(others).filter(([key]) => !ofTheFile.includes(key));
  return [...textsIn(instructions), ...more.flatMap(([key, part]) => labelled(key, part))].join("\n");
}
