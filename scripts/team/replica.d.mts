/** One replica of a team's server, in a process of its own. */
export type Replica = { url(): string; stop(signal?: NodeJS.Signals): Promise<void>; start(): Promise<void> };

/** Starts one replica on a port of its own that it keeps. */
export function startReplica(root: string, env: NodeJS.ProcessEnv, args?: readonly string[]): Promise<Replica>;
