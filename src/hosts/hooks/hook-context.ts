import type { OpenView } from "../../workflow/open-view.ts";

/** Work in progress in the host's folder. */
export type OpenWork = OpenView & {
  /** Identifies its stream. */
  readonly key: string;
  /** The project area; globs are relative to it. */
  readonly area: string;
  /** True if it is in another work tree, so only a session that has named it sees it. */
  readonly isElsewhere?: true;
};

/** The saved state of one host session. */
export type HostSession = {
  /** True if it has called Waymark itself. */
  readonly works: boolean;
  /** The streams that its calls were about, if known. */
  readonly desks: readonly string[];
  /** The attempts it was reminded of. */
  readonly reminded: readonly string[];
  /** True if its context was compacted and it has not had a card since. */
  readonly owed: boolean;
};

/** A new session. */
export const newSession: HostSession = { works: false, desks: [], reminded: [], owed: false };

/** A path that a tool call would change, as written there. */
export type RequestedPath = {
  readonly path: string;
  /** The working folder of the call. */
  readonly cwd?: string;
  /** If it is a folder, only these names in it are meant. */
  readonly names?: readonly string[];
};

/** A path that a tool call would change, resolved on this machine. */
export type LocatedPath<T extends RequestedPath = RequestedPath> = {
  readonly asked: T;
  /** The path as messages show it. */
  readonly shown: string;
  /** True under `.waymark/` and for the two state files. */
  readonly isOurs: boolean;
  /** True for a folder that contains Waymark's own files. */
  readonly holdsOurs: boolean;
  /** True if the globs cover it and everything in it; always true outside the area. */
  isCovered(area: string, globs: readonly string[]): boolean;
};

/** Everything a hook decides from, besides the event. */
export type HookContext = {
  readonly work: readonly OpenWork[];
  readonly session: HostSession;
  /** The run of a call that names none. */
  readonly runHere: string | undefined;
  /** Resolves paths; several names may go into one folder. */
  locate<T extends RequestedPath>(asked: readonly T[]): Promise<readonly LocatedPath<T>[]>;
};
