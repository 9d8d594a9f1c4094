import { dirname, join, resolve } from "node:path";
import { gatesOf } from "../definitions/bots/bot-gates.ts";
import { readBotTrees } from "../definitions/bots/bot-trees.ts";
import { compileWorkflow } from "../definitions/bots/compile.ts";
import { definitionsFolderOf } from "../definitions/bots/definitions-folder-of.ts";
import type { LiveBot } from "../definitions/bots/live-bot.ts";
import { describeBehavior } from "../definitions/bots/tool-descriptions.ts";
import type { BotTree } from "../definitions/bots/tree.ts";
import { runInFolder } from "../definitions/snapshot/file-entry.ts";
import { type Listing, listFolder } from "../definitions/snapshot/list-folder.ts";
import type { ServedBot } from "../engine/ports/definitions.ts";
import type { Problem } from "../gates/problem.ts";
import type { JsonObject } from "../kit/json.ts";
import { realPathSync } from "../kit/real-path.ts";

/** Facts from other parts of Waymark, passed in so that check and engine cannot disagree. */
export type CheckContext = {
  /** The workspace that project areas are relative to. */
  readonly root: string;
  /** Explains why the engine cannot use a glob. */
  globProblem(glob: string): string | undefined;
  /** Explains why the engine cannot use a JSON Schema. */
  schemaProblem(schema: JsonObject): string | undefined;
  /** The tools that these bots would have. */
  listTools(bots: readonly ServedBot[]): readonly ShownTool[];
  /** The standards as the index sees them. */
  readonly standards: StandardsView;
  /** The names of people who can prove an approval, or why no one can. */
  readonly approvers: readonly string[] | { readonly problem: string };
};

/** The standards of a definitions folder; `read` returns undefined for a missing file. */
export type StandardsView = {
  readonly files: readonly string[];
  /** Files that are not searched, and why; an empty file name means the folder itself. */
  readonly troubles: readonly StandardsProblem[];
  read(file: string): StandardView | undefined;
};

export type StandardsProblem = {
  readonly file: string;
  readonly kind: "leaves" | "unreadable";
  readonly message: string;
};

/** One standard as the index reads it. */
export type StandardView = {
  /** The owner: everyone, a workflow or its phases, or unclear, which hides it. */
  readonly belongs:
    | { readonly kind: "open" | "unclear" }
    | { readonly kind: "owned"; readonly workflow: string | undefined; readonly phases: readonly number[] };
  /** The reason it is not searched. */
  readonly unsearched?: string;
  /** The reason its front matter cannot be read, with the line. */
  readonly misread?: { readonly line: number; readonly message: string };
  /** The keys of its front matter, in lower case, with their lines. */
  readonly keys: ReadonlyMap<string, number>;
  readonly isEmpty: boolean;
};

/** A tool as a model sees it. */
export type ShownTool = {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: object;
};

/** A definitions folder, read once for a whole check. */
export type DefinitionsSurvey = {
  readonly definitions: string;
  /** Every bot the loader knows, including broken ones. */
  readonly bots: readonly LiveBot[];
  /** The loader's problems with the folder as a whole. */
  readonly problems: readonly Problem[];
  /** Every folder in `base_actions` and `bots`, including these two. */
  readonly folders: readonly Folder[];
  /** The folders inside every `base_actions`. */
  readonly actionFolders: readonly Folder[];
};

export type Folder = Listing & { readonly path: string };

/** Reads a definitions folder as the loader does, and lists its folders. */
export function loadForCheck(definitionsFolder: string): DefinitionsSurvey {
  return runInFolder(definitionsFolder, () => loadFolder(resolve(definitionsFolder)));
}

function loadFolder(definitions: string): DefinitionsSurvey {
  const { bots, problems } = readBotTrees(definitions);
  const folders = [join(definitions, "base_actions"), join(definitions, "bots")].flatMap((from) => walkFolders(from));
  const layers = [
    definitions,
    ...listFolder(join(definitions, "bots")).folders.map((bot) => join(definitions, "bots", bot)),
  ];
  const isLayer = new Set(layers.map((layer) => join(layer, "base_actions")));
  return {
    definitions,
    bots: bots.map(compileBot),
    problems,
    folders,
    actionFolders: folders.filter(({ path }) => isLayer.has(dirname(path))),
  };
}

/** Compiles a bot without the live cache, so that a file fixed a moment ago is seen. */
function compileBot(tree: BotTree): LiveBot {
  const gates = gatesOf(tree);
  return {
    tree,
    workflows: tree.behaviors.map((behavior) => compileWorkflow(tree, behavior, gates)),
    descriptions: tree.behaviors.map((behavior) => describeBehavior(definitionsFolderOf(tree), behavior).text),
  };
}

const deepest = 12;

/** A folder and everything below it, each once even if links lead there twice. */
export function walkFolders(path: string, seen = new Set<string>(), depth = 0): Folder[] {
  const real = realPathSync(path);
  if (real === undefined || seen.has(real) || depth > deepest) return [];
  seen.add(real);
  const listing = listFolder(path);
  return [{ path, ...listing }, ...listing.folders.flatMap((name) => walkFolders(join(path, name), seen, depth + 1))];
}
