/** One command to run: what a supervising process is told on its standard input, as one line of JSON. */
export type Job = {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** How much it may write, in bytes. */
  readonly mostOutput: number;
  /** Whether everything of it is in a namespace that ends with its supervisor. */
  readonly isAlone: boolean;
};

/**
 * How a command ended: by itself, at its time limit, because it wrote too much, because its server was gone, it never
 * began, or its supervisor was ended before it.
 */
export type Ending = "exited" | "timed out" | "flooded" | "abandoned" | "not started" | "lost";

/** What a supervising process answers, as one line of JSON. */
export type Outcome = {
  readonly ending: Ending;
  readonly exit: number | null;
  readonly signal: string | null;
  readonly milliseconds: number;
  /** The last of what it wrote, as it came. */
  readonly tail: string;
  /** Why it could not be started, or what became of its supervisor. */
  readonly fault?: string;
};

/** How long a command that is asked to end has for it, in milliseconds. */
export const graceMs = 2000;

/** The variable by which the processes of a check are known, wherever they went: the owner's, and the check's own. */
export const markerName = "WAYMARK_CHECK";
