import type { Event } from "../../workflow/events.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import type { LoadedStream } from "./event-log.ts";

/** The events that people can be notified of. */
export const noticeEvents = ["waiting", "blocked", "rejected", "stuck", "finished", "record_broken"] as const;
export type NoticeEvent = (typeof noticeEvents)[number];

/** The types of events that may be worth a notice. */
export const noticedTypes = ["handed_in", "blocked", "declined", "refused", "finished", "completed"] as const;
export type NoticedEvent = Extract<Event, { type: (typeof noticedTypes)[number] }>;

/** Hears of what is recorded, for notices. */
export type NoticeWatch = {
  /** Tells if anything is sent, as known at a time in milliseconds; plain data, so that a call without webhooks asks no one. */
  readonly known: { hasTargets: boolean; at: number };
  /** Remembers that the record after `seen` may be a notice; returns what to call once it is recorded. */
  before(id: StreamId, seen: number): Promise<() => void>;
  /** Looks, after the call, why a history was loaded with warnings. */
  doubt(id: StreamId, loaded: LoadedStream): void;
};

/** A webhook: its address, or the environment variable that has it, and what it is sent. */
export type NotifyTarget = {
  readonly url?: string;
  readonly urlEnv?: string;
  readonly secretEnv?: string;
  readonly format: "cloudevents" | "slack";
  /** All events if absent. */
  readonly events?: readonly NoticeEvent[];
};

/** A record that may be a notice, or a history found broken at a head; with the notices already sent. */
export type PendingNotice = {
  readonly stream: StreamId;
  readonly seq?: number;
  readonly broken?: string;
  readonly tries: number;
  readonly sent: readonly string[];
};

/** A pending notice with its key and its age in seconds. */
export type ClaimedNotice = { readonly key: string; readonly pending: PendingNotice; readonly age: number };

/** The notices to be sent, as durable as the records; many processes share it, and one at a time claims an entry. */
export type NoticeQueue = {
  /** Adds an entry that is due now; one that is there already stays as it is. */
  put(key: string, pending: PendingNotice): Promise<void>;
  /** Claims entries that are due; others do not get them for so many seconds. */
  claim(most: number, seconds: number): Promise<readonly ClaimedNotice[]>;
  /** Keeps a claimed entry until it is due again. */
  postpone(claimed: ClaimedNotice, pending: PendingNotice, seconds: number): Promise<void>;
  /** Removes a claimed entry. */
  remove(claimed: ClaimedNotice): Promise<void>;
};
