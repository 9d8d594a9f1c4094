import type { OpenedWorkplace } from "../../app/open-workplace.ts";
import type { Engine } from "../../engine/engine.ts";
import { UserError } from "../terminal/user-error.ts";

/** Opens the session that a person names by its id, the beginning of its id, or its target. */
export async function findSession({ sessions }: OpenedWorkplace, named: string): Promise<Engine> {
  const exact = await sessions.find(named);
  if (exact !== undefined && (await exact.peek()).session !== null) return exact;
  const all = await sessions.all();
  const meant = all.filter(
    ({ engine, stream }) => engine.id.name.startsWith(named) || stream.session?.target === named,
  );
  const open = meant.filter(({ stream }) => stream.archivedAt === null);
  const [only, another] = open.length === 1 ? open : meant;
  const shown = named.slice(0, 100);
  if (only === undefined || named === "")
    throw new UserError(`There is no session ${shown}. List them with waymark status.`);
  if (another !== undefined) {
    const names = meant.slice(0, 5).map(({ engine }) => engine.id.name);
    throw new UserError(`${shown} can mean several sessions: ${names.join(", ")}. Type more of the id.`);
  }
  return only.engine;
}
