import type { Appended, Appending, Snapshot, StoredRecord, Viewed } from "../../engine/ports.ts";
import type { JsonObject } from "../../evidence/json.ts";
import type { Desk } from "../../workflow/desk.ts";
import type { Event } from "../../workflow/events.ts";
import type { Repair } from "../../workflow/reconcile.ts";

/** One desk in files: its records, and the views that show them. */
export type OpenDesk = {
  look(): Promise<Snapshot>;
  /** What is on record of it, by whomever, as far as that can be read in one go. */
  desk(): Desk;
  append(seen: number, events: readonly Event[], how: Appending): Promise<Appended>;
  records(from: number): AsyncIterable<StoredRecord>;
  owes(): boolean;
  view(): Promise<Viewed>;
  publish(): Promise<readonly string[]>;
  repair(repair: Repair): Promise<readonly string[]>;
  shown(): Promise<JsonObject>;
  close(): void;
};
