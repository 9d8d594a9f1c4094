import { sha256 } from "../../kit/sha256.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { streamKey } from "../stream-key.ts";
import type { Database, Value } from "./database.ts";
import type { HistoryWitness } from "./history-witness.ts";

/** The project and area of some histories ("" is the project's own area). */
export type StoreLocation = {
  readonly database: Database;
  readonly project: string;
  /** Resolved on first use, since it may ask git. */
  area(): Promise<string>;
  /** This machine's memory of the histories, by area name; absent if nothing is remembered. */
  readonly witness?: (area: string) => HistoryWitness | undefined;
};

/** The first parameters of every statement about an area. */
export async function areaValues({ project, area }: StoreLocation): Promise<readonly [string, string]> {
  return [project, await area()];
}

/** The first parameters of every statement about a stream. */
export async function streamValues(place: StoreLocation, id: StreamId): Promise<readonly [string, string, string]> {
  return [...(await areaValues(place)), streamKey(id)];
}

/** Parses a stream's key. */
export function streamOfKey(key: string): StreamId {
  const [kind, name, run]: [StreamId["kind"], string, string] = JSON.parse(key);
  return { kind, name, ...(run === "" ? {} : { run }) };
}

/** The key range of streams of a kind whose names begin with a text. */
export function keysThatBegin(kind: StreamId["kind"], begins = ""): readonly [string, string] {
  const from = JSON.stringify([kind, begins]).slice(0, -2);
  return [from, `${from}\u{10ffff}`];
}

/** The short notification text for a changed stream. */
export function changeNotice(values: readonly Value[]): string {
  return sha256(JSON.stringify(values)).slice(0, 32);
}
