import type { OpenView } from "../words/open-view.ts";

/** Work that is under way where the host works. */
export type OpenWork = OpenView & {
  /** Tells its desk from every other. */
  readonly key: string;
  /** Where its files stand: globs are relative to it. */
  readonly area: string;
  /** That is in another work tree: only a session that has named it hears of it. */
  readonly isElsewhere?: true;
};

/** What is known of one of a host's sessions. */
export type HostSession = {
  /** It has called Waymark itself. */
  readonly works: boolean;
  /** The desks that its calls were about, as far as these told. */
  readonly desks: readonly string[];
  /** The attempts that it was reminded of. */
  readonly reminded: readonly string[];
  /** Its context was compacted, and it has not been told since where it stands. */
  readonly owed: boolean;
};

/** A session that has done nothing yet. */
export const newSession: HostSession = { works: false, desks: [], reminded: [], owed: false };

/** A path that somebody wants to change, as they say it. */
export type Asked = {
  readonly path: string;
  /** Where they stand. */
  readonly cwd?: string;
  /** Where it is a folder, these come to stand in it, and nothing else there is meant. */
  readonly names?: readonly string[];
  /** Only what has such a name in it is meant; of no name, what nobody can tell from outside. */
  readonly chosen?: readonly string[];
};

/** A path that somebody wants to change, as it stands on this machine. */
export type Located<T extends Asked = Asked> = {
  readonly asked: T;
  /** As it is said to people. */
  readonly shown: string;
  /** It is Waymark's own: under `.waymark/`, or one of the two state files. */
  readonly isOurs: boolean;
  /** It is a folder that what is Waymark's own stands in. */
  readonly holdsOurs: boolean;
  /** Whether the globs cover it, and all that is in it; true for what lies outside the area, which no step speaks of. */
  isCovered(area: string, globs: readonly string[]): boolean;
};

/** What a hook decides from, besides the occasion. */
export type Surroundings = {
  readonly work: readonly OpenWork[];
  readonly session: HostSession;
  /** The run that a call means where it names none. */
  readonly runHere: string | undefined;
  /** Finds out what paths are about; several things may be brought into one folder. */
  locate<T extends Asked>(asked: readonly T[]): Promise<readonly Located<T>[]>;
};
