import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type OpenedWorkplace, openWorkplace, type Places } from "../compose.ts";
import type { Engine } from "../engine/engine.ts";
import { UserFault } from "./fault.ts";

export type PlaceOptions = { readonly root: string; readonly projectArea?: string; readonly definitions?: string };
export type BotOptions = PlaceOptions & { readonly bot?: string; readonly json?: true };

/** Opens the workplace that the options name. */
export function workplaceFor(options: PlaceOptions): OpenedWorkplace {
  const { root, definitions } = options;
  for (const [flag, folder] of Object.entries({ "--root": root, "--definitions": definitions })) {
    if (folder !== undefined && !isFolder(folder)) throw new UserFault(`${flag} ${folder} is not a folder.`);
  }
  return openWorkplace(placesFor(options));
}

/** The places that the options name, absolute. */
export function placesFor({ root, projectArea, definitions }: PlaceOptions): Places {
  return {
    root: resolve(root),
    ...(projectArea === undefined ? {} : { projectArea: resolve(projectArea) }),
    ...(definitions === undefined ? {} : { definitions: resolve(definitions) }),
  };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The engine of the bot that the options name, or of the first. */
export function engineFor(options: BotOptions): { bot: string; engine: Engine; warnings: readonly string[] } {
  const workplace = workplaceFor(options);
  const { bots, warnings: said, problems } = workplace.bots();
  const warnings = [...said, ...problems.map(({ file, message }) => `${file}: ${message}.`)];
  const bot = options.bot === undefined ? bots[0] : bots.find(({ name }) => name === options.bot);
  if (bot === undefined) {
    const known = bots.map(({ name }) => name).join(", ");
    if (options.bot !== undefined && known !== "")
      throw new UserFault(`There is no bot ${options.bot} here. There is: ${known}.`);
    const why = warnings.length === 0 ? "" : ` ${warnings.join(" ")}`;
    throw new UserFault(`There is no bot in ${workplace.definitions}.${why} waymark init makes one.`);
  }
  return { bot: bot.name, engine: workplace.engine(bot.name), warnings };
}

/** Every bot there is, or the one that the options name; none where there are only phased workflows. */
export function enginesFor(options: BotOptions): readonly ReturnType<typeof engineFor>[] {
  const { bots: all, phased } = workplaceFor(options);
  const { bots } = all();
  if (bots.length === 0 && options.bot === undefined && phased.workflows().length > 0) return [];
  if (options.bot !== undefined || bots.length < 2) return [engineFor(options)];
  return bots.map(({ name }) => engineFor({ ...options, bot: name }));
}
