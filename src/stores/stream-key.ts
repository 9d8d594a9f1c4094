import type { StreamId } from "../workflow/stream-id.ts";

/** The unique key of a stream. */
export function streamKey({ kind, name, run = "" }: StreamId): string {
  return JSON.stringify([kind, name, run]);
}
