import type { StreamId } from "../../workflow/stream-id.ts";

/** The events that people can be notified of. */
export const noticeEvents = ["waiting", "blocked", "rejected", "stuck", "finished", "record_broken"] as const;
export type NoticeEvent = (typeof noticeEvents)[number];

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
