import type { AuditedArea } from "../../audit/audit.ts";
import type { Engine } from "../../engine/engine.ts";
import type { DeskId } from "../../engine/ports.ts";
import type { Mapped } from "../../engine/standing.ts";
import { runKey } from "../../overview/summary.ts";
import type { BoardProject } from "./ports.ts";

/** A run that has left a trace: its name in links, and where its history stands. */
export type BoardDesk = { readonly key: string; readonly id: DeskId; readonly area: AuditedArea };

/** Every run of a project by its key: what a request names is looked for here, and nowhere else. */
export async function desksOf(project: BoardProject): Promise<ReadonlyMap<string, BoardDesk>> {
  const desks = new Map<string, BoardDesk>();
  for (const area of await project.logs())
    for (const id of await area.log.desks()) {
      const key = runKey(id);
      if (!desks.has(key)) desks.set(key, { key, id, area });
    }
  return desks;
}

/** The engine of a run; undefined where its bot is no longer defined, or its history tells nothing. */
export async function engineOf(project: BoardProject, { id }: BoardDesk): Promise<Engine | undefined> {
  if (id.kind === "session") return project.sessions.find(id.name);
  const { bots } = await project.bots();
  return bots.some(({ name }) => name === id.name) ? project.engine(id.name, id.run) : undefined;
}

/** Where a run stands; of one whose definition is gone only what its history says. */
export type Looked = Omit<Mapped, "plan"> & Partial<Pick<Mapped, "plan">>;

/** Looks where a run stands. */
export async function lookAt(project: BoardProject, desk: BoardDesk): Promise<Looked> {
  const engine = await engineOf(project, desk);
  if (engine !== undefined) return engine.map();
  const { id, area } = desk;
  const { desk: so, seen, head } = await area.log.look(id);
  return { id, desk: so, workflows: [], seen, head };
}
