import { basename, join } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { isObject, type Json, type JsonObject } from "../../kit/json.ts";
import type { JsonPath } from "../files/json-locations.ts";
import { type JsonProblem, type LoaderProblem, locateProblem, unreadableFolderProblem } from "../loader-problem.ts";
import { isFolder, listFolder } from "../snapshot/list-folder.ts";
import { nameInConfig, readBehaviorConfig } from "./behavior-config.ts";
import { compareByNumber, normalizeName } from "./definition-names.ts";
import { listedTwice, sequenceIn } from "./listed-actions.ts";
import { type FindAction, readOverrides } from "./overrides.ts";
import type { BehaviorFolder } from "./tree.ts";

/** A bot's folders, its config, and its actions. */
export type BotLocation = {
  readonly folder: string;
  readonly configPath: string;
  readonly actionOf: FindAction;
};

/** Reads a bot's behaviors in the order of its config; without a list, in the order of their folders. */
export function readBehaviors(
  definitions: DefinitionSnapshot,
  place: BotLocation,
  listed: Json | undefined,
): {
  readonly behaviors: readonly BehaviorFolder[];
  readonly broken: readonly LoaderProblem[];
  readonly problems: readonly LoaderProblem[];
} {
  const problems: LoaderProblem[] = [];
  const behaviors = new Map<string, BehaviorFolder>();
  const inConfig = (remark: JsonProblem): LoaderProblem => locateProblem(definitions, place.configPath, remark);
  const nothing = (broken: LoaderProblem) => ({ behaviors: [], broken: [broken], problems });
  if (listed !== undefined && !Array.isArray(listed)) return nothing(inConfig(notAList));
  const within = join(place.folder, "behaviors");
  const { folders, unreadable } = listFolder(definitions, within);
  if (unreadable !== undefined) return nothing(locateProblem(definitions, within, unreadableFolderProblem(unreadable)));
  for (const [index, entry] of (listed ?? behaviorsOnDisk(definitions, place, folders)).entries()) {
    const at = ["behaviors", index];
    const said: ListedBehavior = { entry: isObject(entry) ? entry : { name: entry }, at };
    const name = typeof said.entry.name === "string" ? normalizeName(said.entry.name) : "";
    if (name === "") problems.push(inConfig({ ...nameless, at }));
    else if (behaviors.has(name)) problems.push(inConfig(listedTwice("duplicate-behavior", name, at, entry)));
    else
      behaviors.set(name, {
        ...readListed(definitions, place, name, said, folders, problems),
        ...(listed === undefined ? {} : { at }),
      });
  }
  const broken = behaviors.size === 0 ? [inConfig(noBehaviors)] : [];
  const all = [...behaviors.values()];
  const ordered = byOwnOrder(all);
  if (listed !== undefined && ordered.some((behavior, index) => behavior !== all[index])) {
    const names = ordered.map(({ name }) => name).join(", ");
    problems.push(inConfig({ ...otherOrder, message: `the behaviors' own order differs and counts: ${names}` }));
  }
  return { behaviors: ordered, broken, problems };
}

/** Sorts behaviors by their own order, if each of them has one. */
function byOwnOrder(all: readonly BehaviorFolder[]): readonly BehaviorFolder[] {
  if (!all.every(({ order }) => order !== undefined)) return all;
  return [...all].sort((one, other) => (one.order ?? 0) - (other.order ?? 0));
}

const otherOrder = {
  code: "other-behavior-order",
  at: ["behaviors"],
  fix: "List the behaviors in that order, or remove order from their behavior.json.",
} as const;

/** A behavior's entry in the bot's config, with its location. */
type ListedBehavior = { readonly entry: JsonObject; readonly at: JsonPath };

const notAList: JsonProblem = {
  code: "wrong-type",
  at: ["behaviors"],
  message: "behaviors must be a list",
  fix: "Fix the value of behaviors.",
};
const nameless: JsonProblem = {
  code: "wrong-type-ignored",
  message: "an entry of behaviors has no name and is ignored",
  fix: "Fix the entry or delete it.",
};
const noBehaviors: JsonProblem = {
  code: "no-behaviors",
  at: ["behaviors"],
  message: "the bot has no behaviors",
  fix: "List the bot's behaviors.",
};

function readListed(
  definitions: DefinitionSnapshot,
  place: BotLocation,
  name: string,
  said: ListedBehavior,
  folders: readonly string[],
  problems: LoaderProblem[],
): BehaviorFolder {
  const folder = findFolder(definitions, place, name, said, folders, problems);
  if (folder !== undefined) return readBehavior(definitions, place, name, folder, said, problems);
  const { configPath } = place;
  const { entry, at } = said;
  if (entry.folder === undefined) return { name, ...sequence(definitions, place, entry, configPath, at, problems) };
  const missing: JsonProblem = {
    code: "missing-behavior-folder",
    at: [...at, "folder"],
    message: `the folder of ${name} does not exist`,
    fix: "Create the folder, or fix its name.",
  };
  return { name, broken: locateProblem(definitions, configPath, missing) };
}

function readBehavior(
  definitions: DefinitionSnapshot,
  place: BotLocation,
  name: string,
  folder: string,
  { entry, at }: ListedBehavior,
  problems: LoaderProblem[],
): BehaviorFolder {
  const { configPath, actionOf } = place;
  const listing = listFolder(definitions, folder);
  if (listing.unreadable !== undefined)
    return { name, folder, broken: locateProblem(definitions, folder, unreadableFolderProblem(listing.unreadable)) };
  const { path = folder, config, broken } = readBehaviorConfig(definitions, folder, listing);
  if (broken !== undefined) return { name, folder, broken };
  const inBot = hasSequence(entry);
  if (inBot && hasSequence(config))
    problems.push(
      locateProblem(definitions, path, {
        code: "two-action-lists",
        at: [config.actions === undefined ? "actions_workflow" : "actions"],
        message: `${basename(configPath)} also lists the actions of ${name}, and that list counts`,
        fix: "Keep one of the lists.",
      }),
    );
  const own = inBot
    ? sequence(definitions, place, entry, configPath, at, problems)
    : sequence(definitions, place, config, path, [], problems);
  const listedName = (written: string) => own.actions?.find((action) => action.name === normalizeName(written))?.name;
  const found = readOverrides(
    definitions,
    folder,
    listing.folders,
    (written) => actionOf(written) ?? listedName(written),
  );
  problems.push(...found.problems);
  const { order } = config;
  return { name, folder, ...(typeof order === "number" ? { order } : {}), overrides: found.overrides, ...own };
}

function hasSequence({ actions, actions_workflow: workflow }: JsonObject): boolean {
  return actions !== undefined || workflow !== undefined;
}

function sequence(
  definitions: DefinitionSnapshot,
  { actionOf }: BotLocation,
  said: JsonObject,
  path: string,
  at: JsonPath,
  problems: LoaderProblem[],
): Pick<BehaviorFolder, "actions" | "independent" | "actionsFile" | "broken"> {
  const parsed = sequenceIn(said, at, actionOf);
  if (parsed === undefined) return {};
  const { actions, independent, broken, problems: found } = parsed;
  problems.push(...found.map((remark) => locateProblem(definitions, path, remark)));
  return broken === undefined
    ? { actions, independent, actionsFile: path }
    : { broken: locateProblem(definitions, path, broken) };
}

function findFolder(
  definitions: DefinitionSnapshot,
  place: BotLocation,
  name: string,
  { entry: { folder: asked, name: written }, at }: ListedBehavior,
  folders: readonly string[],
  problems: LoaderProblem[],
): string | undefined {
  const { folder } = place;
  const within = join(folder, "behaviors");
  if (asked !== undefined) {
    if (typeof asked !== "string") return undefined;
    return [join(folder, asked), join(within, asked)].find((path) => isFolder(definitions, path));
  }
  const named = folders.filter((entry) => normalizeName(entry) === name);
  const fits =
    named.length > 0 ? named : folders.filter((entry) => behaviorNameOf(definitions, join(within, entry)) === name);
  const [first, second] = fits.sort((a, b) => Number(b === written) - Number(a === written) || compareByNumber(a, b));
  if (second !== undefined)
    problems.push(
      locateProblem(definitions, place.configPath, {
        code: "two-behavior-folders",
        at,
        message: `the folders ${fits.join(" and ")} both match ${name}; ${first} counts`,
        fix: "Rename or delete one of the folders.",
      }),
    );
  if (first !== undefined) return join(within, first);
  const beside = listFolder(definitions, folder).folders.find(
    (entry) => normalizeName(entry) === name && !notBehaviors.includes(entry),
  );
  return beside === undefined ? undefined : join(folder, beside);
}

const notBehaviors = ["behaviors", "base_actions", "config"];

function behaviorsOnDisk(
  definitions: DefinitionSnapshot,
  place: BotLocation,
  folders: readonly string[],
): readonly Json[] {
  const found = [...folders].sort(compareByNumber).map((entry) => {
    const folder = join("behaviors", entry);
    const path = join(place.folder, folder);
    const { order } = readBehaviorConfig(definitions, path, listFolder(definitions, path)).config;
    return {
      name: behaviorNameOf(definitions, path),
      folder,
      order: typeof order === "number" ? order : Number.POSITIVE_INFINITY,
    };
  });
  const byOrder = found.sort((a, b) => (a.order === b.order ? 0 : a.order - b.order));
  return byOrder.map(({ name, folder }) => ({ name, folder }));
}

function behaviorNameOf(definitions: DefinitionSnapshot, folder: string): string {
  const { config } = readBehaviorConfig(definitions, folder, listFolder(definitions, folder));
  return nameInConfig(config) ?? normalizeName(basename(folder));
}
