import type { AuditedArea } from "../../audit/audit-streams.ts";
import type { Engine } from "../../engine/engine.ts";
import type { StreamOverview } from "../../engine/run-status.ts";
import { engineOf } from "../../engine/workplace.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { runKey } from "../overview/run-summary.ts";
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
