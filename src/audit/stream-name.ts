import type { StreamId } from "../workflow/stream-id.ts";

/** The name of a stream as people know it. */
export function streamName({ kind, name, run }: StreamId): string {
  if (kind === "session") return `session ${name}`;
  return run === undefined ? name : `${name} (run ${run})`;
}
