/** One command to run, sent to a supervisor on standard input as one line of JSON. */
export type Job = {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** The output limit in bytes. */
  readonly mostOutput: number;
  /** True if everything runs in a namespace that ends with its supervisor. */
  readonly isAlone: boolean;
};

/** The way a command ended: "abandoned" means its server was gone, "lost" that its supervisor died first. */
export type CommandEnding = "exited" | "timed out" | "flooded" | "abandoned" | "not started" | "lost";

/** The supervisor's answer, as one line of JSON. */
export type Outcome = {
  readonly ending: CommandEnding;
  readonly exit: number | null;
  readonly signal: string | null;
  readonly milliseconds: number;
  /** The raw end of the output. */
  readonly tail: string;
  /** The reason it could not start, or what happened to its supervisor. */
  readonly fault?: string;
};

/** The time a command gets to exit after SIGTERM, in milliseconds. */
export const graceMs = 2000;

/** The environment variable that marks a check's processes: owner and check. */
export const markerName = "WAYMARK_CHECK";
