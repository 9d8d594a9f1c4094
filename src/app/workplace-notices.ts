import { hash } from "node:crypto";
import type { EventLog } from "../engine/ports/event-log.ts";
import type { NoticeWatch, NotifyTarget } from "../engine/ports/notice-queue.ts";
import { canonical } from "../kit/json.ts";
import { realPathOrSame } from "../kit/real-path.ts";
import { type NoticingLog, noticingLog } from "../notify/noticing-log.ts";
import type { Notifier, NotifierParts } from "../notify/notifier.ts";
import type { Store } from "../stores/store.ts";
import { machineTrust } from "./wire-checks.ts";

/** The project's name in notices, the address of a run for people, and where failures are reported. */
export type NoticeWords = Pick<NotifierParts, "project" | "link" | "report" | "everyMs" | "firstRetry">;

/** The notices of one workplace. */
export type WorkplaceNotices = {
  /** Hears of a store's records. */
  watch(store: Store): NoticeWatch | undefined;
  /** A store's log whose audits report what is broken. */
  audited(store: Store): EventLog;
  /** Sends what is due while this process runs, if webhooks are configured; returns what stops it. */
  start(words: NoticeWords): () => Promise<void>;
  /** The webhooks that are configured, and those of them that are sent to. */
  listed(): Promise<{ readonly configured: readonly NotifyTarget[]; readonly trusted: readonly NotifyTarget[] }>;
};

/** Opens the notices of a workplace; its sender is loaded only if there are webhooks. */
export function workplaceNotices(
  listed: WorkplaceNotices["listed"],
  stores: () => Promise<Iterable<Store>>,
): WorkplaceNotices {
  const logs = new WeakMap<Store, NoticingLog>();
  let words: NoticeWords | undefined;
  let sender: Promise<Notifier> | undefined;
  const targets = async (): Promise<readonly NotifyTarget[]> => (await listed()).trusted;
  const hasTargets = async (): Promise<boolean> => (await targets()).length > 0;
  const wake = (): void => {
    if (words === undefined) return;
    sender ??= startSender(words);
    sender.then(
      (one) => one.wake(),
      (fault: unknown) => words?.report(String(fault)),
    );
  };
  async function startSender(parts: NoticeWords): Promise<Notifier> {
    const { startNotifier } = await import("../notify/notifier.ts");
    const areas = async () =>
      [...(await stores())].flatMap(({ log, notices: queue }) => (queue === undefined ? [] : [{ log, queue }]));
    return startNotifier({ ...parts, targets, areas });
  }
  const noticing = (store: Store): NoticingLog | undefined => {
    if (store.notices === undefined) return undefined;
    const log = logs.get(store) ?? noticingLog(store.log, store.notices, { hasTargets, wake });
    logs.set(store, log);
    return log;
  };
  return {
    listed,
    watch: (store) => noticing(store)?.watch,
    audited: (store) => noticing(store)?.audited ?? store.log,
    start(given) {
      words = given;
      hasTargets().then(
        (has) => (has ? wake() : undefined),
        (fault: unknown) => given.report(String(fault)),
      );
      return async () => {
        words = undefined;
        await (await sender)?.stop();
        sender = undefined;
      };
    },
  };
}

/** The webhooks of the settings that a person trusts on this machine. */
export async function trustedTargets(targets: readonly NotifyTarget[], area: string): Promise<readonly NotifyTarget[]> {
  if (targets.length === 0) return [];
  const decided = await machineTrust(area).decided(await realPathOrSame(area));
  const trusted = new Set(decided.filter(({ word }) => word === "yes").map(({ definition }) => definition));
  return targets.filter((target) => trusted.has(targetHash(target)));
}

/** Identifies what a person trusts: the address, how it is signed and in which form. */
export function targetHash({ events: _, ...target }: NotifyTarget): string {
  return hash("sha256", canonical({ notify: target }));
}
