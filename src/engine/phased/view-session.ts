import { sessionView } from "../../workflow/session-view.ts";
import { definitionGone } from "./answers.ts";
import type { Desks } from "./desks.ts";
import type { PhasedEngine } from "./phased-engine.ts";

/** How a session stands, with what is to be said of its history and of the definition that it keeps. */
export async function viewSession(desks: Desks, id: string): ReturnType<PhasedEngine["view"]> {
  if (!(await desks.parts.store.has(id))) return null;
  const { desk, warnings } = await desks.of(id).look();
  const view = sessionView(id, desk);
  if (view === null || desk.session === null) {
    desks.of(id).keep(warnings);
    return null;
  }
  const workflow = await desks.pinned(desk.session);
  const about =
    workflow === undefined ? [definitionGone(desk.session.workflow)] : await desks.drift(desk.session, workflow);
  return { view, warnings: [...warnings, ...about] };
}
