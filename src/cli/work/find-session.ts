import type { OpenedWorkplace } from "../../app/open-workplace.ts";
import type { Engine } from "../../engine/engine.ts";
import { UserError } from "../terminal/user-error.ts";

/** Opens the session that a person names, or throws if there is none. */
export async function findSession({ sessions }: OpenedWorkplace, id: string): Promise<Engine> {
  const engine = await sessions.find(id);
  if (engine === undefined || (await engine.peek()).session === null)
    throw new UserError(`There is no session ${id.slice(0, 100)}. List them with waymark status.`);
  return engine;
}
