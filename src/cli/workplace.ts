import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { deskName } from "../audit/desk-name.ts";

import { type OpenedWorkplace, openWorkplace, type Places } from "../compose.ts";
import type { OpenedPostgres } from "../compose-postgres.ts";
import type { Calling } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { runName, runNameRule } from "../evidence/run-name.ts";
import { version } from "../version.ts";
import type { ServedBots } from "../workplace.ts";
import { UserFault } from "./fault.ts";
import { plain } from "./print.ts";
import { progressOf } from "./progress.ts";

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

/** A run of a bot at work, and what is to be said of it before anything else. */
export type BotAtWork = {
  readonly bot: string;
  /** The run's name; none for the project area's own. */
  readonly run: string | undefined;
  readonly engine: Engine;
  readonly warnings: readonly string[];
};

/** Opens the workplace that the options name. */
export function workplaceFor(options: PlaceOptions & { readonly json?: true }): OpenedWorkplace {
  const { root, definitions } = options;
  for (const [flag, folder] of Object.entries({ "--root": root, "--definitions": definitions })) {
    if (folder !== undefined && !isFolder(folder)) throw new UserFault(`${flag} ${folder} is not a folder.`);
  }
  const onRead = progressOf(
    (read, total) => `Reading the history: ${Math.floor((100 * read) / total)} %`,
    options.json,
  );
  return openWorkplace({ ...placesFor(options), onRead });
}

/** The project of a store that nobody has named. */
const defaultProject = "default";

/** The places that the options name, absolute. */
export function placesFor({ root, projectArea, definitions, postgres, project }: PlaceOptions): Places {
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

/** The person at this terminal, as the history names them. */
export function atTerminal(): Calling {
  return { id: randomUUID(), client: `waymark ${version}` };
}

/** Stops where there is nothing to speak of: no definitions, no history, and no database that could have one. */
export async function needProject(workplace: OpenedWorkplace, { postgres }: PlaceOptions): Promise<void> {
  needDefinitions(workplace.definitions, postgres !== undefined || (await hasHistory(workplace)));
}

/** The same of the definitions alone, unless something else is there. */
export function needDefinitions(definitions: string, isElse = false): void {
  if (!isElse && !isFolder(definitions))
    throw new UserFault(`There is no bot in ${definitions}. waymark init makes one.`);
}

async function hasHistory(workplace: OpenedWorkplace): Promise<boolean> {
  for (const { log } of await workplace.logs()) if ((await log.desks()).length > 0) return true;
  return false;
}

/** Every bot there is, or the one that the options name, in the run that they name or that is meant here; none where there are only phased workflows. */
export async function botsAtWork(
  workplace: OpenedWorkplace,
  { bot, run: written }: BotOptions,
): Promise<readonly BotAtWork[]> {
  const named = runNamed(written);
  const served = await workplace.bots();
  if (served.bots.length === 0 && bot === undefined && (await workplace.sessions.workflows()).length > 0) return [];
  const chosen = bot === undefined ? served.bots : served.bots.filter(({ name }) => name === bot);
  if (chosen.length === 0) throw noBot(served, bot, workplace.definitions);
  const warnings = warningsOf(served);
  const found = chosen.map(async ({ name }): Promise<readonly BotAtWork[]> => {
    if (named !== undefined && !(await workplace.runs(name)).includes(named)) return [];
    const run = named ?? (await workplace.runHere(name));
    return [{ bot: name, run, engine: await workplace.engine(name, run), warnings }];
  });
  const atWork = (await Promise.all(found)).flat();
  if (atWork.length === 0) throw noRun(named);
  return atWork;
}

/** The name of a run as it is kept; undefined where none is given. */
export function runNamed(written: string | undefined): string | undefined {
  if (written === undefined) return undefined;
  const name = runName(written);
  if (name === undefined)
    throw new UserFault(`--run ${plain(written).slice(0, 100)} is no name of a run: ${runNameRule}.`);
  return name;
}

/** No to a run that is not there. */
export function noRun(run: string | undefined): UserFault {
  return new UserFault(`There is no run ${run} here. waymark status lists them.`);
}

/** A run of a bot as people know it. */
export function runTitle(name: string, run: string | undefined): string {
  return deskName({ kind: "bot", name, ...(run === undefined ? {} : { run }) });
}

function noBot(served: ServedBots, bot: string | undefined, definitions: string): UserFault {
  const known = served.bots.map(({ name }) => name).join(", ");
  if (bot !== undefined && known !== "") return new UserFault(`There is no bot ${bot} here. There is: ${known}.`);
  const warnings = warningsOf(served);
  const why = warnings.length === 0 ? "" : ` ${warnings.join(" ")}`;
  return new UserFault(`There is no bot in ${definitions}.${why} waymark init makes one.`);
}

function warningsOf({ warnings, problems }: ServedBots): readonly string[] {
  return [...warnings, ...problems.map(({ file, message }) => `${file}: ${message}.`)];
}
