/** Names one stream of events: a bot's default run, one of its named runs, or a session. */
export type StreamId = { readonly kind: "bot" | "session"; readonly name: string; readonly run?: string };

/** The name of a stream as people know it. */
export function streamName({ kind, name, run }: StreamId): string {
  if (kind === "session") return `session ${name}`;
  return run === undefined ? name : `${name} (run ${run})`;
}
