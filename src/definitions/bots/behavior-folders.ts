import { basename, join } from "node:path";
import { isObject, type Json, type JsonObject } from "../../evidence/json.ts";
import { isFolder, listFolder } from "../folder.ts";
import type { JsonPath } from "../json-place.ts";
import { type Flaw, flawIn, type Remark, unreadableFolder } from "../problem.ts";
import { nameInConfig, readBehaviorConfig } from "./behavior-config.ts";
import { listedTwice, sequenceIn } from "./listed-actions.ts";
import { asName, byNumber } from "./names.ts";
import { type FindAction, readOverrides } from "./overrides.ts";
import type { BehaviorFolder } from "./tree.ts";

/** Where a bot and its config stand, and the actions it has. */
export type BotPlace = {
  readonly definitions: string;
  readonly folder: string;
  readonly configPath: string;
  readonly actionOf: FindAction;
};

/** Reads a bot's behaviors in the order its config lists them; without a list, its behavior folders in theirs. */
export function readBehaviors(
  place: BotPlace,
  listed: Json | undefined,
): {
  readonly behaviors: readonly BehaviorFolder[];
  readonly broken: readonly Flaw[];
  readonly problems: readonly Flaw[];
} {
  const problems: Flaw[] = [];
  const behaviors = new Map<string, BehaviorFolder>();
  const inConfig = (remark: Remark): Flaw => flawIn(place.definitions, place.configPath, remark);
  const nothing = (broken: Flaw) => ({ behaviors: [], broken: [broken], problems });
  if (listed !== undefined && !Array.isArray(listed)) return nothing(inConfig(notAList));
  const within = join(place.folder, "behaviors");
  const { folders, unreadable } = listFolder(within);
  if (unreadable !== undefined) return nothing(flawIn(place.definitions, within, unreadableFolder(unreadable)));
  for (const [index, entry] of (listed ?? foundBehaviors(place, folders)).entries()) {
    const at = ["behaviors", index];
    const said: Said = { entry: isObject(entry) ? entry : { name: entry }, at };
    const name = typeof said.entry.name === "string" ? asName(said.entry.name) : "";
    if (name === "") problems.push(inConfig({ ...nameless, at }));
    else if (behaviors.has(name)) problems.push(inConfig(listedTwice("duplicate-behavior", name, at, entry)));
    else
      behaviors.set(name, {
        ...readListed(place, name, said, folders, problems),
        ...(listed === undefined ? {} : { at }),
      });
  }
  const broken = behaviors.size === 0 ? [inConfig(noBehaviors)] : [];
  return { behaviors: [...behaviors.values()], broken, problems };
}

/** What the bot's config says of one behavior, and where. */
type Said = { readonly entry: JsonObject; readonly at: JsonPath };

const notAList: Remark = {
  code: "wrong-type",
  at: ["behaviors"],
  message: "behaviors must be a list",
  fix: "Mend the value of behaviors.",
};
const nameless: Remark = {
  code: "wrong-type-ignored",
  message: "an entry of behaviors has no name and is left out",
  fix: "Mend the value, or delete it.",
};
const noBehaviors: Remark = {
  code: "no-behaviors",
  at: ["behaviors"],
  message: "the bot has no behaviors",
  fix: "List the bot's behaviors.",
};

function readListed(
  place: BotPlace,
  name: string,
  said: Said,
  folders: readonly string[],
  problems: Flaw[],
): BehaviorFolder {
  const folder = findFolder(place, name, said, folders, problems);
  if (folder !== undefined) return readBehavior(place, name, folder, said, problems);
  const { definitions, configPath } = place;
  const { entry, at } = said;
  if (entry.folder === undefined) return { name, ...sequence(place, entry, configPath, at, problems) };
  const missing: Remark = {
    code: "missing-behavior-folder",
    at: [...at, "folder"],
    message: `the folder of ${name} does not exist`,
    fix: "Make the folder, or mend its name.",
  };
  return { name, broken: flawIn(definitions, configPath, missing) };
}

function readBehavior(
  place: BotPlace,
  name: string,
  folder: string,
  { entry, at }: Said,
  problems: Flaw[],
): BehaviorFolder {
  const { definitions, configPath, actionOf } = place;
  const listing = listFolder(folder);
  if (listing.unreadable !== undefined)
    return { name, folder, broken: flawIn(definitions, folder, unreadableFolder(listing.unreadable)) };
  const { path = folder, config, broken } = readBehaviorConfig(definitions, folder, listing);
  if (broken !== undefined) return { name, folder, broken };
  const inBot = hasSequence(entry);
  if (inBot && hasSequence(config))
    problems.push(
      flawIn(definitions, path, {
        code: "two-action-lists",
        at: [config.actions === undefined ? "actions_workflow" : "actions"],
        message: `${basename(configPath)} lists the actions of ${name} too, and that list counts`,
        fix: "Keep one of the two lists.",
      }),
    );
  const own = inBot ? sequence(place, entry, configPath, at, problems) : sequence(place, config, path, [], problems);
  const listedName = (written: string) => own.actions?.find((action) => action.name === asName(written))?.name;
  const found = readOverrides(
    definitions,
    folder,
    listing.folders,
    (written) => actionOf(written) ?? listedName(written),
  );
  problems.push(...found.problems);
  return { name, folder, overrides: found.overrides, ...own };
}

function hasSequence({ actions, actions_workflow: workflow }: JsonObject): boolean {
  return actions !== undefined || workflow !== undefined;
}

function sequence(
  { definitions, actionOf }: BotPlace,
  said: JsonObject,
  path: string,
  at: JsonPath,
  problems: Flaw[],
): Pick<BehaviorFolder, "actions" | "aside" | "actionsFile" | "broken"> {
  const parsed = sequenceIn(said, at, actionOf);
  if (parsed === undefined) return {};
  const { actions, aside, broken, problems: found } = parsed;
  problems.push(...found.map((remark) => flawIn(definitions, path, remark)));
  return broken === undefined ? { actions, aside, actionsFile: path } : { broken: flawIn(definitions, path, broken) };
}

function findFolder(
  place: BotPlace,
  name: string,
  { entry: { folder: asked, name: written }, at }: Said,
  folders: readonly string[],
  problems: Flaw[],
): string | undefined {
  const { folder } = place;
  const within = join(folder, "behaviors");
  if (asked !== undefined) {
    if (typeof asked !== "string") return undefined;
    return [join(folder, asked), join(within, asked)].find(isFolder);
  }
  const named = folders.filter((entry) => asName(entry) === name);
  const fits = named.length > 0 ? named : folders.filter((entry) => nameOf(place, join(within, entry)) === name);
  const [first, second] = fits.sort((a, b) => Number(b === written) - Number(a === written) || byNumber(a, b));
  if (second !== undefined)
    problems.push(
      flawIn(place.definitions, place.configPath, {
        code: "two-behavior-folders",
        at,
        message: `the folders ${fits.join(" and ")} are both named ${name}; ${first} counts`,
        fix: "Rename or delete one of the folders.",
      }),
    );
  if (first !== undefined) return join(within, first);
  const beside = listFolder(folder).folders.find((entry) => asName(entry) === name && !notBehaviors.includes(entry));
  return beside === undefined ? undefined : join(folder, beside);
}

const notBehaviors = ["behaviors", "base_actions", "config"];

function foundBehaviors(place: BotPlace, folders: readonly string[]): readonly Json[] {
  const found = [...folders].sort(byNumber).map((entry) => {
    const folder = join("behaviors", entry);
    const path = join(place.folder, folder);
    const { order } = readBehaviorConfig(place.definitions, path, listFolder(path)).config;
    return { name: nameOf(place, path), folder, order: typeof order === "number" ? order : Number.POSITIVE_INFINITY };
  });
  const byOrder = found.sort((a, b) => (a.order === b.order ? 0 : a.order - b.order));
  return byOrder.map(({ name, folder }) => ({ name, folder }));
}

function nameOf({ definitions }: BotPlace, folder: string): string {
  const { config } = readBehaviorConfig(definitions, folder, listFolder(folder));
  return nameInConfig(config) ?? asName(basename(folder));
}
