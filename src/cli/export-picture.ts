import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenedWorkplace } from "../compose.ts";
import type { Engine } from "../engine/engine.ts";
import type { DeskId } from "../engine/ports.ts";
import { drawPicture } from "../overview/picture.ts";
import { pictured } from "../overview/pictured.ts";
import { walkOf } from "../overview/walk.ts";
import type { Event } from "../workflow/events.ts";
import { UserFault } from "./fault.ts";
import { plain, print, printJson } from "./print.ts";
import { type PlaceOptions, runNamed, workplaceFor } from "./workplace.ts";

export type PictureAsked = PlaceOptions & { readonly run?: string; readonly out: string; readonly json?: true };

/** Writes the map and the timeline of a run as a picture. */
export async function exportPicture(asked: string | undefined, options: PictureAsked): Promise<void> {
  const workplace = workplaceFor(options);
  try {
    const { name, engine, only } = await runMeant(workplace, asked, runNamed(options.run));
    const picture = pictured(await engine.map(), walkOf(await eventsOf(workplace, engine.id)), only, new Date());
    if (picture === undefined)
      throw new UserFault(`Nothing has begun in ${plain(name)} yet: there is nothing to draw.`);
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

type Meant = { readonly name: string; readonly engine: Engine; readonly only?: string };

/** The run that is named: a session by its id, a bot, or one of its behaviors; or the only one there is. */
async function runMeant(
  workplace: OpenedWorkplace,
  asked: string | undefined,
  run: string | undefined,
): Promise<Meant> {
  const { bots } = await workplace.bots();
  const named = asked ?? (await onlyOne(workplace, run));
  const session = await workplace.sessions.find(named);
  if (session !== undefined) return { name: named, engine: session };
  const bot = bots.find(({ name }) => named === name || named.startsWith(`${name}.`));
  const only = bot === undefined || bot.name === named ? undefined : named.slice(bot.name.length + 1);
  const isKnown = bot !== undefined && (only === undefined || bot.behaviors.some(({ name }) => name === only));
  if (!isKnown) throw new UserFault(`There is no run ${plain(named)} here. waymark status lists them.`);
  if (run !== undefined && !(await workplace.runs(bot.name)).includes(run))
    throw new UserFault(`There is no run ${run} of ${bot.name} here. waymark status lists them.`);
  const engine = await workplace.engine(bot.name, run ?? (await workplace.runHere(bot.name)));
  const name = run === undefined ? named : `${named}-${run}`;
  return { name, engine, ...(only === undefined ? {} : { only }) };
}

async function onlyOne(workplace: OpenedWorkplace, run: string | undefined): Promise<string> {
  const names: string[] = [];
  for (const { log } of await workplace.logs())
    for (const id of await log.desks()) if (run === undefined || id.run === run) names.push(id.name);
  const [only, another] = new Set(names);
  if (only === undefined) throw new UserFault("Nothing is on record yet: there is nothing to draw.");
  if (another !== undefined)
    throw new UserFault(`Name the run to draw: ${[...new Set(names)].slice(0, 10).map(plain).join(", ")}.`);
  return only;
}

async function eventsOf(workplace: OpenedWorkplace, id: DeskId): Promise<readonly Event[]> {
  const all: Event[] = [];
  for (const { log } of await workplace.logs()) {
    if (all.length > 0 || !(await log.has(id))) continue;
    for await (const { events } of log.records(id)) for (const event of events) all.push(event);
  }
  return all;
}
