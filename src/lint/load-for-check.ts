import { dirname, join } from "node:path";
import { gatesOf } from "../definitions/bots/bot-gates.ts";
import { readBotTrees } from "../definitions/bots/bot-trees.ts";
import { compileWorkflow } from "../definitions/bots/compile.ts";
import type { LiveBot } from "../definitions/bots/live-bot.ts";
import { describeBehavior } from "../definitions/bots/tool-descriptions.ts";
import type { BotTree } from "../definitions/bots/tree.ts";
import type { PhasedWorkflow } from "../definitions/phases/phased-workflow.ts";
import { type Listing, listFolder } from "../definitions/snapshot/list-folder.ts";
import type { DefinitionSnapshot } from "../engine/ports/definition-snapshot.ts";
import type { ServedBot } from "../engine/ports/definitions.ts";
import type { Problem } from "../gates/problem.ts";
import type { JsonObject } from "../kit/json.ts";

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
  /** The definitions that sessions pinned. */
  readonly pinned: readonly PhasedWorkflow[];
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
  readonly definitions: DefinitionSnapshot;
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
export function loadForCheck(definitions: DefinitionSnapshot): DefinitionsSurvey {
  return definitions.derived("survey", () => loadFolder(definitions));
}

function loadFolder(definitions: DefinitionSnapshot): DefinitionsSurvey {
  const { bots, problems } = readBotTrees(definitions);
  const folders = [join(definitions.folder, "base_actions"), join(definitions.folder, "bots")].flatMap((from) =>
    walkFolders(definitions, from),
  );
  const layers = [
    definitions.folder,
    ...listFolder(definitions, join(definitions.folder, "bots")).folders.map((bot) =>
      join(definitions.folder, "bots", bot),
    ),
  ];
  const isLayer = new Set(layers.map((layer) => join(layer, "base_actions")));
  return {
    definitions,
    bots: bots.map((tree) => compileBot(tree)),
    problems,
    folders,
    actionFolders: folders.filter(({ path }) => isLayer.has(dirname(path))),
  };
}

function compileBot(tree: BotTree): LiveBot {
  const gates = gatesOf(tree);
  return {
    tree,
    workflows: tree.behaviors.map((behavior) => compileWorkflow(tree, behavior, gates)),
    descriptions: tree.behaviors.map((behavior) => describeBehavior(tree.definitions, behavior).text),
  };
}

const deepest = 12;

/** A folder and everything below it, each once even if links lead there twice. */
export function walkFolders(
  definitions: DefinitionSnapshot,
  path: string,
  seen = new Set<string>(),
  depth = 0,
): Folder[] {
  const real = definitions.realPath(path);
  if (real === undefined || seen.has(real) || depth > deepest) return [];
  seen.add(real);
  const listing = listFolder(definitions, path);
  return [
    { path, ...listing },
    ...listing.folders.flatMap((name) => walkFolders(definitions, join(path, name), seen, depth + 1)),
  ];
}
