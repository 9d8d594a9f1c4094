import { basename, join } from "node:path";
import { isObject, type Json, type JsonObject } from "../../workflow/json.ts";
import type { Problem } from "../../workflow/workflow.ts";
import { isFolder, listFolder } from "../folder.ts";
import { shownIn } from "../shown.ts";
import { readBehaviorConfig } from "./behavior-config.ts";
import { parseListedActions } from "./listed-actions.ts";
import { asName, byNumber } from "./names.ts";
import { type FindAction, readOverrides } from "./overrides.ts";
import type { BehaviorFolder } from "./tree.ts";

/** Where a bot stands, what to call its config, and the actions it has. */
export type BotPlace = {
  readonly definitions: string;
  readonly folder: string;
  readonly configFile: string;
  readonly actionOf: FindAction;
};

/** Reads a bot's behaviors in the order its config lists them; without a list, its behavior folders in theirs. */
export function readBehaviors(
  place: BotPlace,
  listed: Json | undefined,
): {
  readonly behaviors: readonly BehaviorFolder[];
  readonly broken: readonly Problem[];
  readonly problems: readonly Problem[];
} {
  const problems: Problem[] = [];
  const behaviors = new Map<string, BehaviorFolder>();
  const file = place.configFile;
  if (listed !== undefined && !Array.isArray(listed)) {
    return { behaviors: [], broken: [{ file, message: "behaviors must be a list" }], problems };
  }
  const within = join(place.folder, "behaviors");
  const { folders, unreadable } = listFolder(within);
  if (unreadable !== undefined) {
    const broken = { file: shownIn(place.definitions, within), message: unreadable };
    return { behaviors: [], broken: [broken], problems };
  }
  for (const entry of listed ?? foundBehaviors(place, folders)) {
    const said: JsonObject = isObject(entry) ? entry : { name: entry };
    const name = typeof said.name === "string" ? asName(said.name) : "";
    if (name === "") problems.push({ file, message: "an entry of behaviors has no name and is left out" });
    else if (behaviors.has(name)) problems.push({ file, message: `${name} is listed twice; its first place counts` });
    else {
      const folder = findFolder(place, name, said, folders, problems);
      behaviors.set(
        name,
        folder === undefined
          ? withoutFolder(place, name, said, problems)
          : readBehavior(place, name, folder, said, problems),
      );
    }
  }
  const broken = behaviors.size === 0 ? [{ file, message: "the bot has no behaviors" }] : [];
  return { behaviors: [...behaviors.values()], broken, problems };
}

function withoutFolder({ configFile }: BotPlace, name: string, said: JsonObject, problems: Problem[]): BehaviorFolder {
  if (said.folder === undefined) return { name, ...sequence(said.actions, () => configFile, problems) };
  return { name, broken: { file: configFile, message: `the folder of ${name} does not exist` } };
}

function readBehavior(
  { definitions, configFile, actionOf }: BotPlace,
  name: string,
  folder: string,
  said: JsonObject,
  problems: Problem[],
): BehaviorFolder {
  const listing = listFolder(folder);
  if (listing.unreadable !== undefined) {
    return { name, folder, broken: { file: shownIn(definitions, folder), message: listing.unreadable } };
  }
  const { path = folder, config, broken } = readBehaviorConfig(definitions, folder, listing);
  if (broken !== undefined) return { name, folder, broken };
  if (said.actions !== undefined && config.actions !== undefined) {
    const message = `${configFile} lists the actions of ${name} too, and that list counts`;
    problems.push({ file: shownIn(definitions, path), message });
  }
  const file = () => (said.actions === undefined ? shownIn(definitions, path) : configFile);
  const own = sequence(said.actions ?? config.actions, file, problems);
  const listedName = (entry: string) => own.actions?.find((action) => action.name === asName(entry))?.name;
  const found = readOverrides(definitions, folder, listing.folders, (entry) => actionOf(entry) ?? listedName(entry));
  problems.push(...found.problems);
  return { name, folder, overrides: found.overrides, ...own };
}

function sequence(
  value: Json | undefined,
  file: () => string,
  problems: Problem[],
): Pick<BehaviorFolder, "actions" | "actionsFile" | "broken"> {
  if (value === undefined) return {};
  const { actions, broken, problems: found } = parseListedActions(value);
  problems.push(...found.map((message) => ({ file: file(), message })));
  return broken === undefined ? { actions, actionsFile: file() } : { broken: { file: file(), message: broken } };
}

function findFolder(
  place: BotPlace,
  name: string,
  { folder: asked, name: written }: JsonObject,
  folders: readonly string[],
  problems: Problem[],
): string | undefined {
  const { folder, configFile } = place;
  const within = join(folder, "behaviors");
  if (asked !== undefined) {
    if (typeof asked !== "string") return undefined;
    return [join(folder, asked), join(within, asked)].find(isFolder);
  }
  const named = folders.filter((entry) => asName(entry) === name);
  const fits = named.length > 0 ? named : folders.filter((entry) => nameOf(place, join(within, entry)) === name);
  const [first, second] = fits.sort((a, b) => Number(b === written) - Number(a === written) || byNumber(a, b));
  if (second !== undefined) {
    problems.push({
      file: configFile,
      message: `the folders ${fits.join(" and ")} are both named ${name}; ${first} counts`,
    });
  }
  if (first !== undefined) return join(within, first);
  const beside = listFolder(folder).folders.find((entry) => asName(entry) === name && !notBehaviors.includes(entry));
  return beside === undefined ? undefined : join(folder, beside);
}

const notBehaviors = ["behaviors", "base_actions", "config"];

function foundBehaviors(place: BotPlace, folders: readonly string[]): readonly Json[] {
  return [...folders].sort(byNumber).map((entry) => {
    const folder = join("behaviors", entry);
    return { name: nameOf(place, join(place.folder, folder)), folder };
  });
}

function nameOf({ definitions }: BotPlace, folder: string): string {
  const { name } = readBehaviorConfig(definitions, folder, listFolder(folder)).config;
  return (typeof name === "string" && asName(name)) || asName(basename(folder));
}
