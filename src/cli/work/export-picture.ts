import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenedWorkplace } from "../../app/open-workplace.ts";
import { drawPicture } from "../../dashboard/overview/picture.ts";
import { pictureData } from "../../dashboard/overview/picture-data.ts";
import { walkHistory } from "../../dashboard/overview/walk.ts";
import type { Engine } from "../../engine/engine.ts";
import { defined } from "../../kit/defined.ts";
import type { Event } from "../../workflow/events.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { oneLine, print, printJson } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";
import { type PlaceOptions, parseRunName, workplaceFor } from "../terminal/workplace-options.ts";
import { sessionNamed } from "./find-session.ts";

export type PictureOptions = PlaceOptions & { readonly run?: string; readonly out: string; readonly json?: true };

/** Writes the map and timeline of a run as an SVG picture. */
export async function exportPicture(asked: string | undefined, options: PictureOptions): Promise<void> {
  const workplace = workplaceFor(options);
  try {
    const { name, engine, only } = await findRunToDraw(workplace, asked, parseRunName(options.run));
    const picture = pictureData(
      await engine.overview(),
      walkHistory(await eventsOf(workplace, engine.id)),
      only,
      new Date(),
    );
    if (picture === undefined)
      throw new UserError(`${oneLine(name)} has not started yet, so there is nothing to draw.`);
    const svg = drawPicture(picture, Date.now());
    if (options.json) return printJson({ run: name, svg });
    mkdirSync(options.out, { recursive: true });
    const file = join(options.out, `${name.replaceAll(/[^\w.-]+/g, "-").slice(0, 100)}.svg`);
    writeFileSync(file, svg);
    print(`Wrote ${file}.`);
  } finally {
    workplace.close();
  }
}

type PictureTarget = { readonly name: string; readonly engine: Engine; readonly only?: string };

/** Finds the named run (a session, a bot or a behavior), or the only one. */
async function findRunToDraw(
  workplace: OpenedWorkplace,
  asked: string | undefined,
  run: string | undefined,
): Promise<PictureTarget> {
  const { bots } = await workplace.bots();
  const named = asked ?? (await onlyRun(workplace, run));
  const isBots = bots.some(({ name }) => named === name || named.startsWith(`${name}.`));
  const session = isBots ? undefined : await sessionNamed(workplace, named);
  if (session !== undefined) return { name: session.id.name, engine: session };
  const bot = bots.find(({ name }) => named === name || named.startsWith(`${name}.`));
  const only = bot === undefined || bot.name === named ? undefined : named.slice(bot.name.length + 1);
  const isKnown = bot !== undefined && (only === undefined || bot.behaviors.some(({ name }) => name === only));
  if (!isKnown) throw new UserError(`There is no run ${oneLine(named)} here. List them with waymark status.`);
  if (run !== undefined && !(await workplace.runs(bot.name)).includes(run))
    throw new UserError(`There is no run ${run} of ${bot.name} here. List them with waymark status.`);
  const engine = await workplace.engine(bot.name, run ?? (await workplace.runHere(bot.name)));
  const name = run === undefined ? named : `${named}-${run}`;
  return { name, engine, ...defined({ only }) };
}

async function onlyRun(workplace: OpenedWorkplace, run: string | undefined): Promise<string> {
  const names: string[] = [];
  for (const { log } of await workplace.logs())
    for (const id of await log.streams()) if (run === undefined || id.run === run) names.push(id.name);
  const [only, another] = new Set(names);
  if (only === undefined) throw new UserError("Nothing is recorded yet, so there is nothing to draw.");
  if (another !== undefined)
    throw new UserError(`Name the run to draw: ${[...new Set(names)].slice(0, 10).map(oneLine).join(", ")}.`);
  return only;
}

async function eventsOf(workplace: OpenedWorkplace, id: StreamId): Promise<readonly Event[]> {
  const all: Event[] = [];
  for (const { log } of await workplace.logs()) {
    if (all.length > 0 || !(await log.has(id))) continue;
    for await (const { events } of log.records(id)) for (const event of events) all.push(event);
  }
  return all;
}
