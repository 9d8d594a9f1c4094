import type { AuditedLog, EventLog } from "../engine/ports/event-log.ts";
import type { NoticeQueue, NoticeWatch } from "../engine/ports/notice-queue.ts";
import type { StreamId } from "../workflow/stream-id.ts";

/** Tells if anything is sent at all, and receives the news that something may be due. */
export type NoticeNeeds = { hasTargets(): Promise<boolean>; wake(): void };

/** Notices about the histories of a log: it hears of records, and its audits report what is broken. */
export type NoticingLog = { readonly watch: NoticeWatch; readonly audited: EventLog };

/**
 * Remembers, before a record is written, that it may be a notice. A crash in between leaves an entry without a record, which is never
 * sent; the other order would lose a notice.
 */
export function noticingLog(log: EventLog, queue: NoticeQueue, { hasTargets, wake }: NoticeNeeds): NoticingLog {
  const reported = new Set<string>();
  const doubted = new Set<string>();
  const known = { hasTargets: true, at: 0 };
  const audit = async (id: StreamId): Promise<AuditedLog> => {
    const found = await log.audit(id);
    const key = `${streamText(id)} broken ${found.head}`;
    if (!isBroken(found) || reported.has(key) || !(await hasTargets())) return found;
    reported.add(key);
    await queue.put(key, { stream: id, broken: found.head, tries: 0, sent: [] });
    wake();
    return found;
  };
  return {
    audited: { ...log, audit },
    watch: {
      known,
      async before(id, seen) {
        known.hasTargets = await hasTargets();
        known.at = Date.now();
        if (!known.hasTargets) return () => undefined;
        await queue.put(`${streamText(id)} ${seen + 1}`, { stream: id, seq: seen + 1, tries: 0, sent: [] });
        return wake;
      },
      doubt(id, { head, warnings }) {
        const doubt = `${streamText(id)} ${head} ${warnings.length}`;
        if (doubted.has(doubt)) return;
        doubted.add(doubt);
        // Only an audit tells a broken history from a full disk; the call does not wait for it.
        const look = async (): Promise<unknown> => (await hasTargets()) && audit(id);
        setImmediate(() => void look().catch(() => undefined));
      },
    },
  };
}

/** Tells if an audit found what a person has to look at. */
function isBroken({ breaks, missing, disputes = [], elsewhere }: AuditedLog): boolean {
  return breaks.length > 0 || disputes.length > 0 || (missing !== undefined && elsewhere === undefined);
}

function streamText({ kind, name, run = "" }: StreamId): string {
  return JSON.stringify([kind, name, run]);
}
