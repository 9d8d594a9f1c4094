import type { EventLog, StoredRecord } from "../engine/ports/event-log.ts";
import type { ClaimedNotice, NoticeQueue, NotifyTarget } from "../engine/ports/notice-queue.ts";
import { replayer } from "../workflow/replay.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import { findNotices, type Notice } from "./find-notices.ts";
import { post, targetKey, targetName } from "./post.ts";

/** The parts of a notifier: the histories with their queues, the webhooks, and the words for a run. */
export type NotifierParts = {
  areas(): Promise<readonly { readonly log: EventLog; readonly queue: NoticeQueue }[]>;
  targets(): Promise<readonly NotifyTarget[]>;
  readonly project: string;
  /** The run on the dashboard, if one is known. */
  link(stream: StreamId): Promise<string | undefined> | string | undefined;
  report(message: string): void;
  /** The milliseconds between two looks. */
  readonly everyMs?: number;
  /** The seconds before a failed notice is sent again for the first time. */
  readonly firstRetry?: number;
};

export type Notifier = {
  /** Looks soon. */
  wake(): void;
  /** Stops, and waits for what is being sent. */
  stop(): Promise<void>;
};

/** Retries end after this many seconds. */
const retriesEnd = 3600;
/** The longest pause between two tries, in seconds: a receiver that is back hears soon. */
const longestPause = 300;
/** A claim outlives the slowest receivers, which get 10 seconds. */
const claimSeconds = 60;
const atOnce = 20;

/** Sends what is recorded and due to the webhooks, until stopped; never part of a call. */
export function startNotifier(parts: NotifierParts): Notifier {
  const { everyMs = 5000, firstRetry = 5, report } = parts;
  let working: Promise<void> | undefined;
  let isStopped = false;
  let isAgain = false;
  const look = (): void => {
    if (isStopped) return;
    if (working !== undefined) {
      isAgain = true;
      return;
    }
    isAgain = false;
    working = work()
      .catch((fault: unknown) =>
        report(`Notices could not be sent: ${fault instanceof Error ? fault.message : "unknown"}`),
      )
      .finally(() => {
        working = undefined;
        if (isAgain) look();
      });
  };
  const timer = setInterval(look, everyMs);
  timer.unref();
  setImmediate(look);

  async function work(): Promise<void> {
    const targets = await parts.targets();
    if (targets.length === 0) return;
    for (const { log, queue } of await parts.areas()) {
      for (let claimed = await queue.claim(atOnce, claimSeconds); claimed.length > 0; ) {
        await Promise.all(claimed.map((one) => deliver(log, queue, targets, one)));
        claimed = isStopped || claimed.length < atOnce ? [] : await queue.claim(atOnce, claimSeconds);
      }
    }
  }

  async function deliver(
    log: EventLog,
    queue: NoticeQueue,
    targets: readonly NotifyTarget[],
    claimed: ClaimedNotice,
  ): Promise<void> {
    const { pending, age } = claimed;
    const notices = await noticesOf(log, claimed);
    if (notices?.length === 0) return queue.remove(claimed);
    const wanted = (notices ?? []).flatMap((notice) =>
      targets
        .filter(({ events }) => events?.includes(notice.event) ?? true)
        .map((target) => ({ notice, target, key: `${notice.event} ${targetKey(target)}` })),
    );
    const sent = [...pending.sent];
    const failed: string[] = [];
    const { stream } = pending;
    const link = await parts.link(stream);
    const tried = wanted
      .filter(({ key }) => !sent.includes(key))
      .map(async ({ notice, target, key }) => {
        const why = await post(target, { ...notice, project: parts.project, stream, link });
        if (why === undefined) sent.push(key);
        else failed.push(`${notice.event} to ${targetName(target)}: ${why}`);
      });
    await Promise.all(tried);
    if (notices !== undefined && failed.length === 0) return queue.remove(claimed);
    const tries = pending.tries + 1;
    if (age > retriesEnd) {
      for (const one of failed) report(`A notice was given up after an hour: ${one}.`);
      return queue.remove(claimed);
    }
    if (tries === 1) for (const one of failed) report(`A notice could not be sent and will be tried again: ${one}.`);
    const pause = Math.min(firstRetry * 2 ** pending.tries, longestPause) * (0.8 + Math.random() * 0.4);
    await queue.postpone(claimed, { ...pending, tries, sent }, pause);
  }

  return {
    wake: () => void setImmediate(look),
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await working;
    },
  };
}

/** The notices of an entry, from the record itself; undefined if it is not recorded yet. */
async function noticesOf(log: EventLog, { key, pending }: ClaimedNotice): Promise<readonly Notice[] | undefined> {
  const { stream, seq = 0, broken } = pending;
  if (broken !== undefined)
    return [{ event: "record_broken", id: `${broken}.record_broken`, at: new Date().toISOString() }];
  if (log.hasUnwritten(stream)) return undefined; // what is only in memory may never be recorded
  const record = await recordAt(log, stream, seq);
  if (record === undefined) return undefined;
  return findNotices(record, async () => {
    const extend = replayer();
    let state = extend([]);
    for await (const { seq: at, events } of log.records(stream)) {
      if (at > seq) break;
      state = extend(events);
    }
    return state;
  }).catch(() => {
    throw new Error(`the history of ${key} cannot be read`);
  });
}

async function recordAt(log: EventLog, id: StreamId, seq: number): Promise<StoredRecord | undefined> {
  if (!(await log.has(id))) return undefined;
  for await (const record of log.records(id, seq - 1)) return record.seq === seq ? record : undefined;
  return undefined;
}
