import type { OpenedWorkplace } from "../../app/open-workplace.ts";
import type { Engine } from "../../engine/engine.ts";
import { sessionView } from "../../workflow/session-view.ts";
import { oneLine } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";

/** Opens the session that a person names by its id, its target, or the beginning of its id. */
export async function findSession(workplace: OpenedWorkplace, named: string): Promise<Engine> {
  const found = await sessionNamed(workplace, named);
  if (found === undefined)
    throw new UserError(`There is no session ${named.slice(0, 100)}. List them with waymark status.`);
  return found;
}

/** The same, or undefined if there is none; throws if several are meant. */
export async function sessionNamed({ sessions }: OpenedWorkplace, named: string): Promise<Engine | undefined> {
  if (named === "") return undefined;
  const exact = await sessions.find(named);
  if (exact !== undefined && (await exact.peek()).session !== null) return exact;
  const all = await sessions.all();
  const targeted = all.filter(({ stream }) => stream.session?.target === named);
  const meant = targeted.length > 0 ? targeted : all.filter(({ engine }) => engine.id.name.startsWith(named));
  const open = meant.filter(({ stream }) => stream.archivedAt === null);
  const unfinished = open.filter(
    ({ engine, stream }) => sessionView(engine.id.name, stream)?.workflow_complete !== true,
  );
  const [only, another] = [unfinished, open].find(({ length }) => length === 1) ?? meant;
  if (another === undefined) return only?.engine;
  const names = meant.slice(0, 5).map(({ engine }) => engine.id.name);
  const more = meant.length > names.length ? ` and ${meant.length - names.length} more` : "";
  throw new UserError(
    `${named.slice(0, 100)} can mean several sessions: ${names.join(", ")}${more}. Type more of the id.`,
  );
}

/** The full name of a run: a behavior's as it is, a session's id for its beginning or target. */
export async function fullRunName(workplace: OpenedWorkplace, named: string | undefined): Promise<string | undefined> {
  if (named === undefined) return undefined;
  const { bots } = await workplace.bots();
  const isBots = bots.some((bot) => bot.behaviors.some(({ name }) => `${bot.name}.${name}` === named));
  return isBots ? named : ((await sessionNamed(workplace, named))?.id.name ?? named);
}

/** The same; throws if there is neither such a session nor such a bot. */
export async function existingRun(workplace: OpenedWorkplace, named: string | undefined): Promise<string | undefined> {
  const full = await fullRunName(workplace, named);
  if (full === undefined || (await workplace.sessions.find(full)) !== undefined) return full;
  const { bots } = await workplace.bots();
  if (bots.some(({ name, behaviors }) => [name, ...behaviors.map((one) => `${name}.${one.name}`)].includes(full)))
    return full;
  throw new UserError(`There is no run ${oneLine(full).slice(0, 100)} here. See what is waiting with waymark show.`);
}
