/** Names one stream of events: a bot's default run, one of its named runs, or a session. */
export type StreamId = { readonly kind: "bot" | "session"; readonly name: string; readonly run?: string };
