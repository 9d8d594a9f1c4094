import type { StoredRecord } from "../../engine/ports/event-log.ts";

/** Tells if a record continues from this hash; if not, the history was replaced. */
export function continuesFrom({ text }: StoredRecord, hash: string): boolean {
  if (hash === "") return true;
  const { prev } = JSON.parse(text);
  return prev === hash;
}
