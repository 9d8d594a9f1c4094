import { dirname, join } from "node:path";
import { actionConfigFile } from "../../definitions/bots/action-config-file.ts";
import { independentActions } from "../../definitions/bots/compile.ts";
import type { LiveBot } from "../../definitions/bots/live-bot.ts";
import type { BehaviorFolder, BotTree } from "../../definitions/bots/tree.ts";
import { readInstructions } from "../../definitions/content/instructions.ts";
import { presentStep } from "../../definitions/content/present.ts";
import { readText } from "../../definitions/files/json-file.ts";
import type { FindingCode } from "../../definitions/finding-codes.ts";
import type { LoaderProblem } from "../../definitions/loader-problem.ts";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { estimateTokens } from "../../kit/estimate-tokens.ts";
import type { DefinitionsSurvey, Folder } from "../load-for-check.ts";
import type { ReportedFinding } from "../reported-finding.ts";
import { budgets } from "../token-budgets.ts";
import { noteProblem } from "./inspect-loading.ts";

/** Reports instructions that are missing, too long or have unfilled placeholders; every action is opened as the engine opens it. */
export function inspectInstructions(survey: DefinitionsSurvey): ReportedFinding[] {
  const usable = survey.bots.filter(({ tree }) => tree.broken === undefined);
  const opened = usable.flatMap((bot) => openAll(survey, bot));
  return [
    ...opened.flatMap(({ placeholders }) => placeholders),
    ...usable.flatMap((bot) => unknownInUnreachedActions(survey, bot)),
    ...withoutInstructions(opened),
    ...tooLong(opened),
    ...survey.folders.flatMap((one) => longFiles(survey.definitions, one)),
  ];
}

/** An action as one behavior shows it. */
type OpenedAction = {
  readonly behavior: string;
  readonly action: string;
  /** The file its author opens first. */
  readonly path: string;
  readonly folder: string;
  readonly tokens: number;
  readonly hasInstructions: boolean;
  readonly placeholders: readonly ReportedFinding[];
};

function openAll({ definitions }: DefinitionsSurvey, { tree, workflows }: LiveBot): OpenedAction[] {
  return tree.behaviors.flatMap((behavior, index) => {
    const steps = (workflows[index]?.steps ?? []).filter(
      ({ skip, broken }) => skip === undefined && broken === undefined,
    );
    return [...new Set([...steps.map(({ name }) => name), ...independentActions(tree)])].map((action): OpenedAction => {
      const { text, problems } = open(tree, behavior.name, action);
      const folder = folderOf(tree, behavior, action);
      const shown = readInstructions({ definitions, tree, behavior }, action, []).map(({ path }) => path);
      const own = shown.filter((path) => dirname(path) !== behavior.folder);
      return {
        behavior: behavior.name,
        action,
        folder,
        path: own[0] ?? join(folder, actionConfigFile),
        tokens: estimateTokens(text),
        hasInstructions: own.length > 0,
        placeholders: placeholdersIn(definitions.folder, problems),
      };
    });
  });
}

/** Reports unknown placeholders of actions that no sequence reaches yet. */
function unknownInUnreachedActions(
  { definitions }: DefinitionsSurvey,
  { tree, workflows }: LiveBot,
): ReportedFinding[] {
  const walked = new Set(workflows.flatMap(({ steps }) => steps.map(({ name }) => name)));
  const [behavior] = tree.behaviors;
  if (behavior === undefined) return [];
  return tree.actions
    .filter(({ name, config }) => config?.workflow === true && !walked.has(name))
    .flatMap(({ name }) => placeholdersIn(definitions.folder, open(tree, behavior.name, name).problems))
    .filter(({ code }) => code === "unknown-placeholder");
}

/** Opens an action as the engine does; material that cannot be shown has its own finding. */
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

const placeholderCodes: readonly FindingCode[] = [
  ...(["unknown-placeholder", "empty-placeholder", "perhaps-placeholder", "missing-template"] as const),
];

/** The findings about placeholders and templates; unreadable files have their own. */
function placeholdersIn(definitions: string, problems: readonly LoaderProblem[]): ReportedFinding[] {
  return problems
    .filter(({ code }) => placeholderCodes.includes(code))
    .map((problem) => noteProblem(definitions, problem));
}

function withoutInstructions(opened: readonly OpenedAction[]): ReportedFinding[] {
  const bare = opened.filter(({ hasInstructions }) => !hasInstructions);
  return [...new Set(bare.map(({ folder }) => folder))].map((folder) => {
    const here = bare.filter((one) => one.folder === folder);
    const behaviors = here.map(({ behavior }) => behavior).join(", ");
    return {
      code: "missing-instructions",
      path: join(folder, actionConfigFile),
      line: 1,
      message: `${here[0]?.action} has no instructions in ${behaviors}`,
      fix: "Write instructions.md beside the action's config: what to do and what to submit.",
    };
  });
}

function tooLong(opened: readonly OpenedAction[]): ReportedFinding[] {
  const long = opened.filter(({ tokens }) => tokens > budgets.openedAction).sort((a, b) => b.tokens - a.tokens);
  return long
    .filter(({ path }, index) => long.findIndex((longer) => longer.path === path) === index)
    .map(({ action, behavior, path, tokens }) => ({
      code: "long-action",
      path,
      line: 1,
      message: `${action} shows about ${tokens} tokens when opened in ${behavior}; the budget is ${budgets.openedAction}`,
      fix: "Shorten its instructions, questions, templates or rules.",
    }));
}

function longFiles(definitions: DefinitionSnapshot, { path: folder, files }: Folder): ReportedFinding[] {
  return files
    .filter((file) => ["instructions.md", "instructions.json"].includes(file.toLowerCase()))
    .flatMap((file): ReportedFinding[] => {
      const path = join(folder, file);
      const tokens = estimateTokens(readText(definitions, path) ?? "");
      if (tokens <= budgets.instructions) return [];
      const message = `the file has about ${tokens} tokens; the budget is ${budgets.instructions}`;
      return [
        {
          code: "long-instructions",
          path,
          line: 1,
          message,
          fix: "Keep what the assistant needs at this step and move the rest elsewhere.",
        },
      ];
    });
}
