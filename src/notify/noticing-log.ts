import type { AuditedLog, EventLog } from "../engine/ports/event-log.ts";
import type { NoticeQueue } from "../engine/ports/notice-queue.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import { mayNotify } from "./find-notices.ts";

/** Receives the news that something may be due. */
export type NoticeWatch = { hasTargets(): Promise<boolean>; wake(): void };

/**
 * A log that remembers, before it appends, that the record may be a notice. A crash in between leaves an entry without a record, which
 * says nothing; the other order would lose a notice.
 */
export function noticingLog(log: EventLog, queue: NoticeQueue, { hasTargets, wake }: NoticeWatch): EventLog {
  const broken = new Set<string>();
  const audited = async (id: StreamId): Promise<AuditedLog> => {
    const found = await log.audit(id);
    const key = `${streamText(id)} broken ${found.head}`;
    if (isBroken(found) && !broken.has(key) && (await hasTargets())) {
      broken.add(key);
      await queue.put(key, { stream: id, broken: found.head, tries: 0, sent: [] });
      wake();
    }
    return found;
  };
  const doubted = new Set<string>();
  return {
    ...log,
    audit: audited,
    async load(id) {
      const loaded = await log.load(id);
      const doubt = `${streamText(id)} ${loaded.head} ${loaded.warnings.length}`;
      if (loaded.warnings.length === 0 || doubted.has(doubt)) return loaded;
      doubted.add(doubt);
      // Only an audit tells a broken history from a full disk; the call does not wait for it.
      setImmediate(
        () =>
          void hasTargets()
            .then((has) => (has ? audited(id) : undefined))
            .catch(() => undefined),
      );
      return loaded;
    },
    async append(id, seen, events, how) {
      if (!mayNotify(events) || !(await hasTargets())) return log.append(id, seen, events, how);
      await queue.put(`${streamText(id)} ${seen + 1}`, { stream: id, seq: seen + 1, tries: 0, sent: [] });
      const appended = await log.append(id, seen, events, how);
      wake();
      return appended;
    },
  };
}

/** Tells if an audit found what a person has to look at. */
export function isBroken({ breaks, missing, disputes = [], elsewhere }: AuditedLog): boolean {
  return breaks.length > 0 || disputes.length > 0 || (missing !== undefined && elsewhere === undefined);
}

function streamText({ kind, name, run = "" }: StreamId): string {
  return JSON.stringify([kind, name, run]);
}
