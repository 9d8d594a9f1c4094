import type { StoredRecord } from "../../engine/ports.ts";

/** Whether a record goes on from the one of this hash; anything does from none. Where not, another history stands in the place of what was read. */
export function follows({ text }: StoredRecord, hash: string): boolean {
  if (hash === "") return true;
  const { prev } = JSON.parse(text);
  return prev === hash;
}
