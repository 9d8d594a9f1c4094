import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import {
  definitionsFolder,
  type OpenedWorkplace,
  openWorkplace,
  type WorkplaceOptions,
} from "../../app/open-workplace.ts";
import type { OpenedPostgres } from "../../app/postgres.ts";
import type { CallerContext } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import type { ServedBots } from "../../engine/workplace.ts";
import { defined } from "../../kit/defined.ts";
import { isPathInside } from "../../kit/is-path-inside.ts";
import { giveIdentity } from "../../people/identity-file.ts";
import { version } from "../../version.ts";
import { runName, runNameRule } from "../../workflow/run-name.ts";
import { streamName } from "../../workflow/stream-id.ts";
import { oneLine } from "./print.ts";
import { showProgress } from "./progress.ts";
import { UserError } from "./user-error.ts";

export type PlaceOptions = {
  readonly root: string;
  readonly projectArea?: string;
  readonly definitions?: string;
  /** The project's name in the store. */
  readonly project?: string;
  /** The database that `--store` names, opened. */
  readonly postgres?: OpenedPostgres;
};
export type BotOptions = PlaceOptions & { readonly bot?: string; readonly run?: string; readonly json?: true };

/** A run of a bot with its engine and its warnings. */
export type OpenedBot = {
  readonly bot: string;
  /** The run's name, or undefined for the default run. */
  readonly run: string | undefined;
  readonly engine: Engine;
  readonly warnings: readonly string[];
};

/** Opens the workplace named by the options. */
export function workplaceFor(options: PlaceOptions & { readonly json?: true }): OpenedWorkplace {
  const { root, definitions } = options;
  for (const [flag, folder] of Object.entries({ "--root": root, "--definitions": definitions })) {
    if (folder !== undefined && !isFolder(folder)) throw new UserError(`${flag} ${folder} is not a folder.`);
  }
  const onRead = showProgress(
    (read, total) => `Reading the history: ${Math.floor((100 * read) / total)} %`,
    options.json,
  );
  return openWorkplace({ ...placesFor(options), onRead });
}

/** The project name used in a store if none is given. */
const defaultProject = "default";

/** Resolves the folders named by the options. */
export function placesFor({ root, projectArea, definitions, postgres, project }: PlaceOptions): WorkplaceOptions {
  const name = project ?? defaultProject;
  return {
    ...(postgres === undefined ? {} : { store: postgres.storeWithFiles(name), pins: postgres.pins(name) }),
    root: resolve(root),
    ...(projectArea === undefined ? {} : { projectArea: resolve(projectArea) }),
    ...(definitions === undefined ? {} : { definitions: resolve(definitions) }),
  };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The caller recorded for a person at this terminal, whose first write gives an older project its identity. */
export function personAtTerminal(options: PlaceOptions): CallerContext {
  const places = placesFor(options);
  const definitions = definitionsFolder(places);
  if (isPathInside(places.root, definitions)) giveIdentity(definitions); // others may serve many projects
  return { id: randomUUID(), client: `waymark ${version}` };
}

/** Throws if there are no definitions, no history and no database. */
export async function requireProject(workplace: OpenedWorkplace, { postgres }: PlaceOptions): Promise<void> {
  requireDefinitions(workplace.definitions, postgres !== undefined || (await hasHistory(workplace)));
}

/** Throws if there are no definitions, unless something else is there. */
export function requireDefinitions(definitions: string, isElse = false): void {
  if (!isElse && !isFolder(definitions))
    throw new UserError(`There is no bot in ${definitions}. Create one with waymark init.`);
}

async function hasHistory(workplace: OpenedWorkplace): Promise<boolean> {
  for (const { log } of await workplace.logs()) if ((await log.streams()).length > 0) return true;
  return false;
}

/** Opens every bot, or the named one, in the named or default run. */
export async function openBots(
  workplace: OpenedWorkplace,
  { bot, run: written }: BotOptions,
): Promise<readonly OpenedBot[]> {
  const named = parseRunName(written);
  const served = await workplace.bots();
  if (served.bots.length === 0 && bot === undefined && (await workplace.sessions.workflows()).length > 0) return [];
  const chosen = bot === undefined ? served.bots : served.bots.filter(({ name }) => name === bot);
  if (chosen.length === 0) throw unknownBotError(served, bot, workplace.definitions);
  const warnings = warningsOf(served);
  const found = chosen.map(async ({ name }): Promise<readonly OpenedBot[]> => {
    if (named !== undefined && !(await workplace.runs(name)).includes(named)) return [];
    const run = named ?? (await workplace.runHere(name));
    return [{ bot: name, run, engine: await workplace.engine(name, run), warnings }];
  });
  const atWork = (await Promise.all(found)).flat();
  if (atWork.length === 0) throw unknownRunError(named);
  return atWork;
}

/** Normalizes the name of a run. */
export function parseRunName(written: string | undefined): string | undefined {
  if (written === undefined) return undefined;
  const name = runName(written);
  if (name === undefined)
    throw new UserError(`--run ${oneLine(written).slice(0, 100)} is not a valid run name: use ${runNameRule}.`);
  return name;
}

/** Builds the error for an unknown run. */
export function unknownRunError(run: string | undefined): UserError {
  return new UserError(`There is no run ${run} here. List them with waymark status.`);
}

/** Names a run of a bot for people. */
export function botRunTitle(name: string, run: string | undefined): string {
  return streamName({ kind: "bot", name, ...defined({ run }) });
}

function unknownBotError(served: ServedBots, bot: string | undefined, definitions: string): UserError {
  const known = served.bots.map(({ name }) => name).join(", ");
  if (bot !== undefined && known !== "") return new UserError(`There is no bot ${bot} here. Bots: ${known}.`);
  const warnings = warningsOf(served);
  const why = warnings.length === 0 ? "" : ` ${warnings.join(" ")}`;
  return new UserError(`There is no bot in ${definitions}.${why} Create one with waymark init.`);
}

function warningsOf({ guests, problems }: ServedBots): readonly string[] {
  const apart = guests.map(
    (bot) => `${bot} shares its project area: its two JSON files are in .waymark/state/${encodeURIComponent(bot)}/.`,
  );
  return [...apart, ...problems.map(({ file, message }) => `${file}: ${message}.`)];
}
