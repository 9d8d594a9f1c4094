import type { StreamId } from "../workflow/stream-id.ts";

/** The unique key of a stream. */
export function streamKey({ kind, name, run = "" }: StreamId): string {
  return JSON.stringify([kind, name, run]);
}

/** The display name of a stream. */
export function streamName({ kind, name, run }: StreamId): string {
  if (kind === "session") return `session ${name}`;
  return run === undefined ? name : `${name} (run ${run})`;
}
