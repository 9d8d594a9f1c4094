import type { Problem } from "../gates/problem.ts";
import type { Event } from "../workflow/events.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import type { StreamSnapshot } from "../workflow/stream-snapshot.ts";
import type { EventLog } from "./ports/event-log.ts";
import { type NoticeWatch, noticedTypes } from "./ports/notice-queue.ts";
import type { ProjectIdentity } from "./ports/project-identity.ts";

/**
 * A log that names the project in the first record of a history, and in the next one of a history from before. `watch` hears, before an
 * append, of what may be worth a notice.
 */
export function identifiedLog(
  recorded: EventLog,
  identity: () => Promise<ProjectIdentity>,
  watch?: NoticeWatch,
): EventLog {
  const log = watch === undefined ? recorded : watchedLog(recorded, watch);
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

/** Webhooks that a person adds while a server runs are sent to after at most this many milliseconds. */
const askAgainMs = 30_000;

const noticed: ReadonlySet<string> = new Set(noticedTypes);

function isNoticed({ type }: Event): boolean {
  return noticed.has(type);
}

/** A log that lets notices hear of records and of doubtful histories. */
function watchedLog(log: EventLog, watch: NoticeWatch): EventLog {
  return {
    ...log,
    async load(id) {
      const loaded = await log.load(id);
      if (loaded.warnings.length > 0) watch.doubt(id, loaded);
      return loaded;
    },
    async append(id, seen, events, how) {
      const isAsked = watch.known.hasTargets || Date.now() - watch.known.at > askAgainMs;
      const recorded = isAsked && events.some(isNoticed) ? await watch.before(id, seen) : undefined;
      const appended = await log.append(id, seen, events, how);
      recorded?.();
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
