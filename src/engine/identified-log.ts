import type { Problem } from "../gates/problem.ts";
import type { Event } from "../workflow/events.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import type { StreamSnapshot } from "../workflow/stream-snapshot.ts";
import type { EventLog } from "./ports/event-log.ts";
import type { ProjectIdentity } from "./ports/project-identity.ts";

/** A log that names the project in the first record of a history, and in the next one of a history from before. */
export function identifiedLog(log: EventLog, identity: () => Promise<ProjectIdentity>): EventLog {
  const identified = new Set<string>();
  const isIdentified = async (id: StreamId): Promise<boolean> =>
    identified.has(JSON.stringify(id)) || (await log.load(id)).stream.project !== undefined;
  return {
    ...log,
    async append(id, seen, events, how) {
      const [first] = events;
      const own = first === undefined || identified.has(JSON.stringify(id)) ? undefined : await identity();
      if (first === undefined || own === undefined || "problem" in own) return log.append(id, seen, events, how);
      const isDone = seen > 0 && (await isIdentified(id));
      const { at, by } = first;
      const named: Event = {
        type: "identified",
        at,
        by,
        project: own.project,
        ...(seen > 0 ? { later: true as const } : {}),
      };
      const appended = await log.append(id, seen, isDone ? events : [...events, named], how);
      if (appended.status === "recorded") identified.add(JSON.stringify(id));
      return appended;
    },
  };
}

/** Finds why a history does not count in this project; undefined if it does. */
export function foreignHistory({ project }: StreamSnapshot, identity: ProjectIdentity): Problem | undefined {
  if (identity === undefined || project === undefined) return undefined;
  const file = "identity.json";
  if ("problem" in identity) return { file, message: identity.problem };
  if (project.id === identity.project) return undefined;
  const message = "this history belongs to another project, so it does not count here";
  const fix =
    "In a copy of a project, run waymark init --new-identity. To take the history over, run waymark verify --accept.";
  return { file, message, fix };
}
