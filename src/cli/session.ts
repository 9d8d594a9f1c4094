import type { OpenedWorkplace } from "../compose.ts";
import type { Engine } from "../engine/engine.ts";
import { UserFault } from "./fault.ts";

/** The engine of the session that a person names; one that cannot be read is none. */
export async function sessionFor({ sessions }: OpenedWorkplace, id: string): Promise<Engine> {
  const engine = await sessions.find(id);
  if (engine === undefined || (await engine.glance()).session === null)
    throw new UserFault(`There is no session ${id.slice(0, 100)}. waymark status lists them.`);
  return engine;
}
