import type { AppendOptions, AppendResult, LoadedStream, StoredRecord } from "../../engine/ports/event-log.ts";
import type { FoundView } from "../../engine/ports/views.ts";
import type { JsonObject } from "../../kit/json.ts";
import type { Event } from "../../workflow/events.ts";
import type { Repair } from "../../workflow/reconcile.ts";
import type { StreamSnapshot } from "../../workflow/stream-snapshot.ts";

/** One stream in files: its records and views. */
export type FileStream = {
  look(): Promise<LoadedStream>;
  /** The recorded state, by any process, as far as it can be read at once. */
  stream(): StreamSnapshot;
  append(seen: number, events: readonly Event[], how: AppendOptions): Promise<AppendResult>;
  records(from: number): AsyncIterable<StoredRecord>;
  isPublicationDue(): boolean;
  view(): Promise<FoundView>;
  publish(): Promise<readonly string[]>;
  repair(repair: Repair): Promise<readonly string[]>;
  shown(): Promise<JsonObject>;
  close(): void;
};
