import { dirname, join } from "node:path";
import { actionConfigFile } from "../bots/action-config-file.ts";
import { independentActions } from "../bots/compile.ts";
import type { LiveBot } from "../bots/live-bots.ts";
import type { BehaviorFolder, BotTree } from "../bots/tree.ts";
import type { FindingCode } from "../codes.ts";
import { readText } from "../json-file.ts";
import { readInstructions } from "../material/instructions.ts";
import { presentStep } from "../material/present.ts";
import type { Flaw } from "../problem.ts";
import type { Noted } from "./finding.ts";
import { noteProblem } from "./inspect-loading.ts";
import type { Folder, Survey } from "./survey.ts";
import { budgets, estimateTokens } from "./tokens.ts";

/** Reports what an assistant would be told too much, too little, or with gaps in it; every action is opened as the engine opens it. */
export function inspectInstructions(survey: Survey): Noted[] {
  const usable = survey.bots.filter(({ tree }) => tree.broken === undefined);
  const opened = usable.flatMap((bot) => openAll(survey, bot));
  return [
    ...opened.flatMap(({ placeholders }) => placeholders),
    ...usable.flatMap((bot) => unknownWhereNobodyWalks(survey, bot)),
    ...withoutInstructions(opened),
    ...tooLong(opened),
    ...survey.folders.flatMap(longFiles),
  ];
}

/** An action as one behavior shows it. */
type Opened = {
  readonly behavior: string;
  readonly action: string;
  /** Where its author looks first. */
  readonly path: string;
  readonly folder: string;
  readonly tokens: number;
  readonly hasInstructions: boolean;
  readonly placeholders: readonly Noted[];
};

function openAll({ definitions }: Survey, { tree, workflows }: LiveBot): Opened[] {
  return tree.behaviors.flatMap((behavior, index) => {
    const steps = (workflows[index]?.steps ?? []).filter(
      ({ skip, broken }) => skip === undefined && broken === undefined,
    );
    return [...new Set([...steps.map(({ name }) => name), ...independentActions(tree)])].map((action): Opened => {
      const { text, problems } = open(tree, behavior.name, action);
      const folder = folderOf(tree, behavior, action);
      const shown = readInstructions({ tree, behavior }, action, []).map(({ path }) => path);
      const own = shown.filter((path) => dirname(path) !== behavior.folder);
      return {
        behavior: behavior.name,
        action,
        folder,
        path: own[0] ?? join(folder, actionConfigFile),
        tokens: estimateTokens(text),
        hasInstructions: own.length > 0,
        placeholders: placeholdersIn(definitions, problems),
      };
    });
  });
}

/** What stands behind a closed sequence is opened by nobody yet; what is unknown there is so in every behavior. */
function unknownWhereNobodyWalks({ definitions }: Survey, { tree, workflows }: LiveBot): Noted[] {
  const walked = new Set(workflows.flatMap(({ steps }) => steps.map(({ name }) => name)));
  const [behavior] = tree.behaviors;
  if (behavior === undefined) return [];
  return tree.actions
    .filter(({ name, config }) => config?.workflow === true && !walked.has(name))
    .flatMap(({ name }) => placeholdersIn(definitions, open(tree, behavior.name, name).problems))
    .filter(({ code }) => code === "unknown-placeholder");
}

/** Opens an action as the engine does; material that it cannot show at all has its own finding. */
function open(tree: BotTree, workflow: string, step: string): ReturnType<typeof presentStep> {
  try {
    return presentStep(tree, { workflow, step, produced: [] }, { project_area: "." });
  } catch {
    return { text: "", parts: [], problems: [] };
  }
}

function folderOf(tree: BotTree, behavior: BehaviorFolder, action: string): string {
  const override = behavior.overrides?.find(({ name }) => name === action)?.folder;
  return tree.actions.find(({ name }) => name === action)?.folder ?? override ?? tree.folder;
}

const inTexts: readonly FindingCode[] = [
  ...(["unknown-placeholder", "empty-placeholder", "perhaps-placeholder", "missing-template"] as const),
];

/** What is wrong with placeholders and templates; files that cannot be read have findings of their own. */
function placeholdersIn(definitions: string, problems: readonly Flaw[]): Noted[] {
  return problems.filter(({ code }) => inTexts.includes(code)).map((problem) => noteProblem(definitions, problem));
}

function withoutInstructions(opened: readonly Opened[]): Noted[] {
  const bare = opened.filter(({ hasInstructions }) => !hasInstructions);
  return [...new Set(bare.map(({ folder }) => folder))].map((folder) => {
    const here = bare.filter((one) => one.folder === folder);
    const behaviors = here.map(({ behavior }) => behavior).join(", ");
    return {
      code: "missing-instructions",
      path: join(folder, actionConfigFile),
      line: 1,
      message: `${here[0]?.action} has no instructions of its own in ${behaviors}`,
      fix: "Write instructions.md beside the action's config: what to do, and what to hand in.",
    };
  });
}

function tooLong(opened: readonly Opened[]): Noted[] {
  const long = opened.filter(({ tokens }) => tokens > budgets.openedAction).sort((a, b) => b.tokens - a.tokens);
  return long
    .filter(({ path }, index) => long.findIndex((longer) => longer.path === path) === index)
    .map(({ action, behavior, path, tokens }) => ({
      code: "long-action",
      path,
      line: 1,
      message: `${action} shows about ${tokens} tokens when ${behavior} opens it, ${budgets.openedAction} are the budget`,
      fix: "Shorten what it shows: instructions, questions, templates, rules.",
    }));
}

function longFiles({ path: folder, files }: Folder): Noted[] {
  return files
    .filter((file) => ["instructions.md", "instructions.json"].includes(file.toLowerCase()))
    .flatMap((file): Noted[] => {
      const path = join(folder, file);
      const tokens = estimateTokens(readText(path) ?? "");
      if (tokens <= budgets.instructions) return [];
      const message = `the file has about ${tokens} tokens, ${budgets.instructions} are the budget`;
      return [
        {
          code: "long-instructions",
          path,
          line: 1,
          message,
          fix: "Keep what the assistant needs at this step, and move the rest.",
        },
      ];
    });
}
