import { lstatSync } from "node:fs";
import { join } from "node:path";
import { defined } from "../../kit/defined.ts";
import type { StreamId } from "../../workflow/stream-id.ts";

/** The file paths of one stream. */
export type StreamPaths = {
  readonly area: string;
  /** The engine's folder in the project area. */
  readonly own: string;
  readonly journal: string;
  /** Records since when the state file of a bot has existed. */
  readonly marker: string;
  /** The cached totals of a bot's journal. */
  readonly checkpoint: string;
  readonly heads: string;
  readonly tmp: string;
  readonly kept: string;
};

/** The file paths of a bot's run, with its two views and the last versions of them that we wrote. */
export type BotPaths = StreamPaths & {
  readonly state: string;
  readonly log: string;
  readonly shown: { readonly state: string; readonly log: string };
};

/** The file paths of a session, with the file that shows it and the last version of it that we wrote. */
export type SessionPaths = StreamPaths & { readonly file: string; readonly shown: string };

/** A file that shows a stream, with the last version that we wrote. */
export type ViewPath = { readonly file: string; readonly shown: string };

/** The paths of one stream in a project area, without its views; reads and creates nothing. */
export function streamPaths(area: string, { kind, name, run }: StreamId): StreamPaths {
  const own = engineFolder(area);
  const isBot = kind === "bot";
  const records = recordsPath(own, isBot ? runPath(name, run) : ["sessions", encodeName(name)]);
  const heads = isBot ? runPath(name, run) : [encodeName(`${signedSession}${name}`)];
  return {
    ...{ area, own },
    journal: `${records}.jsonl`,
    marker: `${records}.published`,
    checkpoint: `${records}.checkpoint`,
    heads: `${join(own, "heads", ...heads)}.jsonl`,
    tmp: join(own, "tmp"),
    kept: join(own, "kept"),
  };
}

function recordsPath(own: string, path: readonly string[]): string {
  return join(own, "journal", ...path);
}

/**
 * The paths of one run of a bot. The views of a named run are in their own folder, and so are those of a guest: a bot that shares
 * the area with the one whose views are in it.
 */
export function botPaths(
  area: string,
  { name, run }: Pick<StreamId, "name" | "run">,
  isGuest = isGuestIn(area, name),
): BotPaths {
  const paths = streamPaths(area, { kind: "bot", name, ...defined({ run }) });
  const records = recordsPath(paths.own, runPath(name, run));
  const inArea = isGuest ? guestFolder(area, name) : area;
  const folder = run === undefined ? inArea : join(paths.own, "runs", encodeName(name), ...run.split("/"));
  const shown = { state: `${records}.state.shown`, log: `${records}.log.shown` };
  return { ...paths, shown, state: join(folder, "workflow_state.json"), log: join(folder, "activity_log.json") };
}

/** The paths of one session. */
export function sessionPaths(area: string, name: string): SessionPaths {
  const paths = streamPaths(area, { kind: "session", name });
  const own = encodeName(name);
  const shown = `${recordsPath(paths.own, ["sessions", own])}.shown`;
  return { ...paths, shown, file: join(paths.own, "sessions", `${own}.json`) };
}

/** The files that show a stream. */
export function viewPaths(area: string, id: StreamId): readonly ViewPath[] {
  if (id.kind === "session") return [sessionPaths(area, id.name)];
  const { state, log, shown } = botPaths(area, id);
  return [
    { file: state, shown: shown.state },
    { file: log, shown: shown.log },
  ];
}

/** Tells if a bot's views are kept apart in a project area. */
export function isGuestIn(area: string, bot: string): boolean {
  return lstatSync(guestFolder(area, bot), { throwIfNoEntry: false }) !== undefined;
}

function guestFolder(area: string, bot: string): string {
  return join(engineFolder(area), "state", encodeName(bot));
}

/** The prefix of a session's signed heads file. */
export const signedSession = "session-";

/** The path of a bot's file in one of the engine's folders; a named run has its own file below it. */
export function runPath(bot: string, run: string | undefined): readonly string[] {
  return run === undefined ? [encodeName(bot)] : [runsFolder, encodeName(bot), encodeRun(run)];
}

/** The folder of named runs in each of the engine's folders. */
export const runsFolder = "runs";

/** Encodes a run's name, made of letters, digits and `._-/`, as one file name. */
function encodeRun(run: string): string {
  return run.replaceAll("/", "%2F");
}

/** Every path of a stream where only our files and folders may be. */
export function enginePaths(area: string, id: StreamId): readonly string[] {
  const { own, journal, marker, checkpoint } = streamPaths(area, id);
  const shared = ["tmp", "kept", "held"].map((name) => join(own, name));
  return [journal, marker, checkpoint, ...viewPaths(area, id).flatMap(({ file, shown }) => [shown, file]), ...shared];
}

/** The engine's own folder. */
export function engineFolder(area: string): string {
  return join(area, ".waymark");
}

/** Encodes a name as one safe file name; `decodeName` reverses it. */
export function encodeName(name: string): string {
  return [...Buffer.from(name)]
    .map((byte) => {
      const letter = String.fromCharCode(byte);
      return /[\w-]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
}

/** Reverses `encodeName`; undefined for a name that no file can have. */
export function decodeName(encoded: string): string | undefined {
  try {
    const name = decodeURIComponent(encoded);
    return name.includes("\0") ? undefined : name;
  } catch {
    return undefined;
  }
}
