import type { ContentRecord, Event, StepRef } from "../../workflow/events.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import type { StreamSnapshot } from "../../workflow/stream-snapshot.ts";

/** A stream as a log knows it: number of records, hash of the last, and the state they add up to. */
export type LoadedStream = {
  readonly seen: number;
  readonly head: string;
  readonly stream: StreamSnapshot;
  /** Problems reading or writing the history, and with the history itself. */
  readonly warnings: readonly string[];
  /** The number of forked records: git merged another side of the history, and they do not count. */
  readonly forkedRecords?: number;
};

/** Says if a record that cannot be written is held in memory or refused. */
export type OnWriteFailure = "hold" | "refuse";

/** Options of an append. */
export type AppendOptions = {
  readonly onFault: OnWriteFailure;
  /** The view that these events answer, as `Views.look` named it. */
  readonly answers?: string | undefined;
  /** Content saved with the record, all or nothing; only if `Content.prepare` exists. */
  readonly saving?: ContentToSave | undefined;
};

/** The content of a completed step, and those of its texts that are not kept yet. */
export type ContentToSave = {
  readonly ref: StepRef;
  readonly records: readonly ContentRecord[];
  readonly texts: readonly string[];
};

/** The result of an append. `behind`: others wrote first, decide again. `held`: in memory until it can be written. `failed`: not recorded and not held. */
export type AppendResult = {
  readonly status: "recorded" | "behind" | "held" | "failed";
  readonly warnings: readonly string[];
  /** Warnings about the content saved with it; absent if none was. */
  readonly saved?: readonly string[];
};

/** One stored record: its text, whose SHA-256 the next one names, and its events. */
export type StoredRecord = {
  readonly seq: number;
  readonly hash: string;
  readonly text: string;
  readonly events: readonly Event[];
};

/** Durable histories, one for each stream. */
export type EventLog = {
  /** Lists the streams with any trace; `begins` may return others besides the names that begin so. */
  streams(kind?: StreamId["kind"], begins?: string): Promise<readonly StreamId[]>;
  /** The most recently recorded streams of a kind, newest first and without items, if the store knows without reading each. */
  latest?(kind: StreamId["kind"], most: number): Promise<readonly StreamId[]>;
  /** The number of streams of a kind, without items, at most `most`, if the store knows without listing them. */
  count?(kind: StreamId["kind"], most: number): Promise<number>;
  /** Tells if a stream has a record. */
  has(id: StreamId): Promise<boolean>;
  /** Loads everything recorded so far, by any process. */
  load(id: StreamId): Promise<LoadedStream>;
  /** Appends events if the stream has not moved since `seen`, all of them or none. */
  append(id: StreamId, seen: number, events: readonly Event[], how: AppendOptions): Promise<AppendResult>;
  /** The records that count, oldest first, after number `from`. */
  records(id: StreamId, from?: number): AsyncIterable<StoredRecord>;
  /** Calls back whenever something may have been recorded, until stopped. Only a hint: look to know. */
  watch(id: StreamId, changed: () => void): () => void;
  /**
   * Calls back with the streams in which something may have been recorded since, new ones among them, until stopped. Asks the store once
   * per tick, however many streams there are.
   */
  follow(changed: (ids: readonly StreamId[]) => void): () => void;
  /** Reads the history again and trusts only what is stored. */
  audit(id: StreamId): Promise<AuditedLog>;
  /** Tells if something waits in memory to be recorded; the next look tries again. */
  hasUnwritten(id: StreamId): boolean;
  /** Releases everything that is held open. */
  close(): void;
};

/** The result of auditing a history. */
export type AuditedLog = {
  readonly records: number;
  readonly seq: number;
  readonly head: string;
  /** The hash of the first record; it names the history. */
  readonly first: string | null;
  /** The hash of every record that counts, by number. */
  readonly hashes: ReadonlyMap<number, string>;
  /** The stream whose history it began as, if that is another one. */
  readonly begunAs?: string;
  /** The stored lines that are not records that count, in order. */
  readonly lines: readonly AuditedLine[];
  /** The state that the records that count add up to. */
  readonly stream: StreamSnapshot;
  /** The points where it is broken or altered, in order. */
  readonly breaks: readonly Readonly<{ line: number; offset: number; seq: number; reason: string }>[];
  /** Bytes at the end that never became a record. */
  readonly unfinished: number;
  /** The reason that nothing can be read although something was there. */
  readonly missing?: string;
  /** It is not here, and git has it on another branch. */
  readonly elsewhere?: true;
  /** Other problems, in words. */
  readonly doubts: readonly string[];
  /** Problems until a person accepts them; `hash` names the history meant. */
  readonly disputes?: readonly { readonly text: string; readonly hash?: string }[];
  /** Remarks that are not problems. */
  readonly notes?: readonly string[];
  /** The hashes a person has accepted, as far as trusted here: of records, of first records, and of disputes. */
  readonly accepted?: ReadonlySet<string>;
  /** The same where the acceptance was not given on this machine, so it proves nothing here; with the record's number. */
  readonly unseen?: ReadonlyMap<string, number>;
  /** The location where it is stored, as a person knows it. */
  readonly place: string;
};

/** A stored line that is not a record that counts. `void`: too late or written twice, and never reported as counting. `aside`: forked, from another side of the history that git merged; `accepted` once a person has. `marker`: git's conflict markers. */
export type AuditedLine = { readonly line: number; readonly offset: number; readonly hash: string } & (
  | {
      readonly kind: "void" | "aside" | "accepted";
      readonly record: { readonly seq: number; readonly op: string; readonly events: readonly Event[] };
    }
  | { readonly kind: "damaged"; readonly seq: number }
  | { readonly kind: "torn" | "marker" | "bridge" }
);
