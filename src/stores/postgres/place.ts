import type { DeskId } from "../../engine/ports.ts";
import { sha256 } from "../../evidence/sha256.ts";
import { deskKey } from "../desk-key.ts";
import type { Database, Value } from "./database.ts";
import type { Witness } from "./witness.ts";

/** Whose histories are meant: of which project, and of which of its areas ("" for the project's own). */
export type StorePlace = {
  readonly database: Database;
  readonly project: string;
  /** Asked for when it is first needed: where an area belongs may take a look at git. */
  area(): Promise<string>;
  /** What this machine has seen of the histories there, by the area's name; absent where nothing is remembered. */
  readonly witness?: (area: string) => Witness | undefined;
};

/** The first values of every statement about a project's area. */
export async function placeValues({ project, area }: StorePlace): Promise<readonly [string, string]> {
  return [project, await area()];
}

/** The first values of every statement about a desk. */
export async function deskValues(place: StorePlace, id: DeskId): Promise<readonly [string, string, string]> {
  return [...(await placeValues(place)), deskKey(id)];
}

/** Reads a desk's key back. */
export function deskOfKey(key: string): DeskId {
  const [kind, name, run]: [DeskId["kind"], string, string] = JSON.parse(key);
  return { kind, name, ...(run === "" ? {} : { run }) };
}

/** The keys of a kind of desks whose names begin so: from one on, and before another. */
export function keysThatBegin(kind: DeskId["kind"], begins = ""): readonly [string, string] {
  const from = JSON.stringify([kind, begins]).slice(0, -2);
  return [from, `${from}\u{10ffff}`];
}

/** What is told on the channel when something was recorded at a desk: short, whatever the desk is called. */
export function changeOf(values: readonly Value[]): string {
  return sha256(JSON.stringify(values)).slice(0, 32);
}
