import { basename, join } from "node:path";
import { isObject, type Json, type JsonObject } from "../../evidence/json.ts";
import { actionConfigFile } from "../bots/action-config-file.ts";
import { readBehaviorConfig } from "../bots/behavior-config.ts";
import { describeBehavior, describeBot } from "../bots/catalog.ts";
import { asName } from "../bots/names.ts";
import { definitionsOf } from "../bots/place.ts";
import { listFolder } from "../folder.ts";
import { readJson, readText } from "../json-file.ts";
import { type Flaw, flawIn, type Remark } from "../problem.ts";
import { textOf, textsOf } from "../rules/text-of.ts";
import { findFolders } from "./find-files.ts";
import { type Lead, type Source, unusableIn } from "./found.ts";

/** A text that an author wrote for the assistant; background is what holds for every action of the behavior. */
export type Instruction = Lead & { readonly isBackground: boolean };

/** Reads what the assistant is told at a step: by the action, by bot and behavior, and by the behavior for this action. */
export function readInstructions(source: Source, step: string, problems: Flaw[]): Instruction[] {
  const own = (leads: readonly Lead[]): Instruction[] => leads.map((lead) => ({ ...lead, isBackground: false }));
  return [
    ...own(ofAction(source, step, problems)),
    ...background(source, problems).map((lead) => ({ ...lead, isBackground: true })),
    ...own(ofBehaviorForAction(source, step, problems)),
  ];
}

/** Reads the instructions that stand as files in a folder. */
export function instructionsIn(source: Source, folder: string, problems: Flaw[]): Lead[] {
  return listFolder(folder)
    .files.filter((file) => /^instructions\.(md|json|txt)$/i.test(file))
    .sort()
    .reverse() // Markdown before JSON, where somebody has both
    .flatMap((name) => {
      const path = join(folder, name);
      const text = /\.json$/i.test(name) ? inJson(source, path, problems) : readText(path)?.trim();
      if (text === "") problems.push(flawIn(definitionsOf(source.tree), path, holdsNone));
      return text === undefined || text === "" ? [] : [{ text, path }];
    });
}

function ofAction(source: Source, step: string, problems: Flaw[]): Lead[] {
  const action = source.tree.actions.find(({ name }) => name === step);
  return action === undefined ? [] : inActionFolder(source, action.folder, problems);
}

/** A config may hold instructions too, and says in a line what the action is. */
function inActionFolder(source: Source, folder: string, problems: Flaw[]): Lead[] {
  const path = join(folder, actionConfigFile);
  const read = listFolder(folder).files.includes(actionConfigFile) ? readJson(path) : undefined;
  const config: JsonObject = read !== undefined && "value" in read && isObject(read.value) ? read.value : {};
  return [
    ...leadsFrom(path, [config.description, ...textsOf(config.instructions)]),
    ...instructionsIn(source, folder, problems),
  ];
}

function background(source: Source, problems: Flaw[]): Lead[] {
  const { tree, behavior } = source;
  const configPath = join(definitionsOf(tree), "..", tree.configFile);
  const ofBot = [
    // The description is told with the tool already.
    ...leadsFrom(configPath, [
      ...(describeBot(tree).isCut ? [tree.description] : []),
      ...labelled("Goal", tree.description === undefined ? undefined : tree.config.goal),
      ...textsOf(tree.config.instructions),
    ]),
    ...instructionsIn(source, tree.folder, problems),
    ...instructionsIn(source, join(tree.folder, "config"), problems),
  ];
  if (behavior.folder === undefined) return ofBot;
  const { path = behavior.folder, config } = readBehaviorConfig(
    definitionsOf(tree),
    behavior.folder,
    listFolder(behavior.folder),
  );
  const { text, isCut } = describeBehavior(definitionsOf(tree), behavior);
  const goal = textOf(config.goal);
  return [
    ...ofBot,
    ...leadsFrom(path, [
      ...(isCut ? [textOf(config.description)] : []),
      ...(text.startsWith(goal) ? [] : labelled("Goal", config.goal)),
      ...labelled("Inputs", config.inputs),
      ...labelled("Outputs", config.outputs),
      ...textsOf(config.instructions),
    ]),
    ...instructionsIn(source, behavior.folder, problems),
  ];
}

function ofBehaviorForAction(source: Source, step: string, problems: Flaw[]): Lead[] {
  const { tree, behavior } = source;
  const action = tree.actions.find(({ name }) => name === step);
  const names = new Set([step, ...(action === undefined ? [] : [asName(basename(action.folder))])]);
  const listed = [...(behavior.actions ?? []), ...(behavior.aside ?? [])].find(({ name }) => name === step);
  return [
    ...[...names]
      .flatMap((name) => findFolders(behavior.folder, name))
      .flatMap((folder) => inActionFolder(source, folder, problems)),
    ...leadsFrom(behavior.actionsFile ?? "", textsOf(listed?.instructions)),
  ];
}

function labelled(label: string, value: Json | undefined): string[] {
  const texts = textsOf(value);
  if (texts.length < 2) return texts.map((text) => `${label}: ${text}`);
  return [`${label}:`, ...texts.map((text) => `- ${text}`)];
}

function leadsFrom(path: string, lines: readonly (Json | undefined)[]): Lead[] {
  const text = lines
    .map((line) => textOf(line))
    .filter((line) => line !== "")
    .join("\n");
  return text === "" ? [] : [{ text, path }];
}

const holdsNone: Remark = {
  code: "missing-instructions",
  message: "the file holds no instructions",
  fix: "Write what to do, and what to hand in; or delete the file.",
};

/** Keys that say what a file is, not what to do. */
const ofTheFile = ["name", "behaviorName", "behavior", "action", "order", "type", "version", "$schema", "comment"];

/** The instructions, and whatever else the file says, with the key it stands under. */
function inJson(source: Source, path: string, problems: Flaw[]): string | undefined {
  const read = readJson(path);
  if ("malformed" in read) problems.push(unusableIn(source, path, read));
  if (!("value" in read)) return undefined;
  const { value } = read;
  if (!isObject(value)) return textsOf(value).join("\n");
  const { instructions, ...others } = value;
  const more = Object.entries(others).filter(([key]) => !ofTheFile.includes(key));
  return [...textsOf(instructions), ...more.flatMap(([key, part]) => labelled(key, part))].join("\n");
}
