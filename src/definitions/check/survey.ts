import { dirname, join, resolve } from "node:path";
import type { ServedBot } from "../../engine/ports.ts";
import type { JsonObject } from "../../evidence/json.ts";
import type { Problem } from "../../evidence/problem.ts";
import { realPathSync } from "../../paths/real-path.ts";
import { readBotTrees } from "../bots/bot-trees.ts";
import { describeBehavior } from "../bots/catalog.ts";
import { compileWorkflow } from "../bots/compile.ts";
import { gatesOf } from "../bots/gates.ts";
import type { LiveBot } from "../bots/live-bots.ts";
import { definitionsOf } from "../bots/place.ts";
import type { BotTree } from "../bots/tree.ts";
import { type Listing, listFolder } from "../folder.ts";
import { readInside } from "../stand.ts";

/** What other parts of Waymark know and a check must ask them, so that linter and engine cannot disagree. */
export type Surroundings = {
  /** The workspace that project areas are relative to. */
  readonly root: string;
  /** Why the engine cannot use a glob. */
  globProblem(glob: string): string | undefined;
  /** Why the engine cannot use a JSON Schema. */
  schemaProblem(schema: JsonObject): string | undefined;
  /** The tools that some bots come to. */
  listTools(bots: readonly ServedBot[]): readonly ShownTool[];
  /** The standards as the index sees them. */
  readonly standards: StandardsView;
  /** Whose approval can be proved, by name; or why nobody's can. */
  readonly approvers: readonly string[] | { readonly problem: string };
};

/** The standards of a definitions folder; one that is gone is undefined. */
export type StandardsView = {
  readonly files: readonly string[];
  /** What is passed over, and why; the folder itself where no file is named. */
  readonly troubles: readonly StandardsTrouble[];
  read(file: string): StandardView | undefined;
};

export type StandardsTrouble = {
  readonly file: string;
  readonly kind: "leaves" | "unreadable";
  readonly message: string;
};

/** What the index makes of one standard. */
export type StandardView = {
  /** Whose it is: everyone's, that of a workflow or its phases, or not to be told, which closes it. */
  readonly belongs:
    | { readonly kind: "open" | "unclear" }
    | { readonly kind: "owned"; readonly workflow: string | undefined; readonly phases: readonly number[] };
  /** Why it is not searched. */
  readonly unsearched?: string;
  /** Why its front matter is not understood, and the line. */
  readonly misread?: { readonly line: number; readonly message: string };
  /** The keys of its front matter, in lower case, with their lines. */
  readonly keys: ReadonlyMap<string, number>;
  readonly isEmpty: boolean;
};

/** What a model sees of a tool. */
export type ShownTool = {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: object;
};

/** A definitions folder, read once for a whole check. */
export type Survey = {
  readonly definitions: string;
  /** Every bot that the loader knows, the broken ones among them. */
  readonly bots: readonly LiveBot[];
  /** What the loader says of the folder as a whole. */
  readonly problems: readonly Problem[];
  /** Every folder below `base_actions` and `bots`, these two included. */
  readonly folders: readonly Folder[];
  /** The folders inside every `base_actions`. */
  readonly actionFolders: readonly Folder[];
};

export type Folder = Listing & { readonly path: string };

/** Reads a definitions folder as the loader reads it, and lists what stands in it. */
export function surveyDefinitions(definitionsFolder: string): Survey {
  return readInside(definitionsFolder, () => survey(resolve(definitionsFolder)));
}

function survey(definitions: string): Survey {
  const { bots, problems } = readBotTrees(definitions);
  const folders = [join(definitions, "base_actions"), join(definitions, "bots")].flatMap((from) => walk(from));
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

/** Not by way of the live bots: a file that was mended just now must be seen as it stands. */
function compileBot(tree: BotTree): LiveBot {
  const gates = gatesOf(tree);
  return {
    tree,
    workflows: tree.behaviors.map((behavior) => compileWorkflow(tree, behavior, gates)),
    descriptions: tree.behaviors.map((behavior) => describeBehavior(definitionsOf(tree), behavior).text),
  };
}

const deepest = 12;

/** A folder and all below it, each once whatever links lead there. */
export function walk(path: string, seen = new Set<string>(), depth = 0): Folder[] {
  const real = realPathSync(path);
  if (real === undefined || seen.has(real) || depth > deepest) return [];
  seen.add(real);
  const listing = listFolder(path);
  return [{ path, ...listing }, ...listing.folders.flatMap((name) => walk(join(path, name), seen, depth + 1))];
}
