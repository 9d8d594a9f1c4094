/** One command to run: what a supervising process is told on its standard input, as one line of JSON. */
export type Job = {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Whether the supervisor is the first process of a namespace of its own, so that it can end everything in it. */
  readonly isInit: boolean;
};

/** How a command ended: by itself, at its time limit, because it wrote too much, because its server was gone, or it never began. */
export type Ending = "exited" | "timed out" | "flooded" | "abandoned" | "not started";

/** What a supervising process answers, as one line of JSON. */
export type Outcome = {
  readonly ending: Ending;
  readonly exit: number | null;
  readonly signal: string | null;
  readonly milliseconds: number;
  /** The last of what it wrote, as it came. */
  readonly tail: string;
  /** Why it could not be started. */
  readonly fault?: string;
};

/** The variable by which the processes of a check are known, wherever they went: the owner's, and the check's own. */
export const markerName = "WAYMARK_CHECK";
