import type { AuditedArea } from "../../audit/audit-streams.ts";
import type { Engine } from "../../engine/engine.ts";
import type { StreamOverview } from "../../engine/run-status.ts";
import { engineOf } from "../../engine/workplace.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { idOfKey, runKey } from "../overview/run-key.ts";
import type { BoardProject } from "./ports.ts";

/** A run with a history: its key in links, and its area. */
export type BoardRun = { readonly key: string; readonly id: StreamId; readonly area: AuditedArea };

/** Lists all runs of a project by key, the only place where requests look them up. */
export async function listRuns(project: BoardProject): Promise<ReadonlyMap<string, BoardRun>> {
  const streams = new Map<string, BoardRun>();
  for (const area of await project.logs())
    for (const id of await area.log.streams()) {
      const key = runKey(id);
      if (!streams.has(key)) streams.set(key, { key, id, area });
    }
  return streams;
}

/** Finds a run by its key, without listing the others. */
export async function findRun(project: BoardProject, key: string): Promise<BoardRun | undefined> {
  const id = idOfKey(key);
  for (const area of id === undefined ? [] : await project.logs())
    if (id !== undefined && (await area.log.has(id))) return { key, id, area };
  // what left a trace but no record is known by the list alone
  return id === undefined ? undefined : (await listRuns(project)).get(key);
}

/** The most recently changed runs; undefined if a store does not know them without listing all. */
export async function newestRuns(project: BoardProject, most: number): Promise<readonly BoardRun[] | undefined> {
  const found: BoardRun[] = [];
  for (const area of await project.logs()) {
    if (area.log.latest === undefined) return undefined;
    for (const kind of ["session", "bot"] as const)
      for (const id of await area.log.latest(kind, most)) found.push({ key: runKey(id), id, area });
  }
  return found;
}

/** Calls back with the runs that changed, until stopped: one question to each store per tick. */
export async function followRuns(
  project: BoardProject,
  changed: (runs: readonly BoardRun[]) => void,
): Promise<() => void> {
  const stops = (await project.logs()).map((area) =>
    area.log.follow((ids) => changed(ids.map((id) => ({ key: runKey(id), id, area })))),
  );
  return () => {
    for (const stop of stops) stop();
  };
}

/** Opens the engine of a run, or returns undefined if its bot is gone or its history is empty. */
export async function openEngine(project: BoardProject, { id }: BoardRun): Promise<Engine | undefined> {
  return engineOf(project, id);
}

/** The state of a run, from its history alone if its definition is gone. */
export type RunState = Omit<StreamOverview, "plan"> & Partial<Pick<StreamOverview, "plan">>;

/** Loads the state of a run. */
export async function loadRunState(project: BoardProject, stream: BoardRun): Promise<RunState> {
  const engine = await openEngine(project, stream);
  if (engine !== undefined) return engine.overview();
  const { id, area } = stream;
  const { stream: so, seen, head } = await area.log.load(id);
  return { id, stream: so, workflows: [], seen, head };
}
