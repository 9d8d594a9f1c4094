import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { StreamId } from "../../workflow/stream-id.ts";

/** The file paths of one stream. */
export type BotPaths = {
  readonly area: string;
  /** The engine's folder in the project area. */
  readonly own: string;
  readonly journal: string;
  /** Records since when the state file has existed. */
  readonly marker: string;
  /** The cached totals of the journal. */
  readonly checkpoint: string;
  /** The last versions of the two views that we wrote. */
  readonly shown: { readonly state: string; readonly log: string };
  readonly tmp: string;
  readonly kept: string;
  readonly state: string;
  readonly log: string;
};

/**
 * The paths of one run of a bot in a project area; creates nothing. The views of a named run are in their own folder, and so are
 * those of a guest: a bot that shares the area with the one whose views are in it.
 */
export function botPaths(
  area: string,
  { name: bot, run }: Pick<StreamId, "name" | "run">,
  isGuest = isGuestIn(area, bot),
): BotPaths {
  const own = engineFolder(area);
  const records = join(own, "journal", ...runPath(bot, run));
  const inArea = isGuest ? guestFolder(area, bot) : area;
  const folder = run === undefined ? inArea : join(own, "runs", encodeName(bot), ...run.split("/"));
  return {
    area,
    own,
    journal: `${records}.jsonl`,
    marker: `${records}.published`,
    checkpoint: `${records}.checkpoint`,
    shown: { state: `${records}.state.shown`, log: `${records}.log.shown` },
    tmp: join(own, "tmp"),
    kept: join(own, "kept"),
    state: join(folder, "workflow_state.json"),
    log: join(folder, "activity_log.json"),
  };
}

/** Tells if a bot's views are kept apart in a project area. */
export function isGuestIn(area: string, bot: string): boolean {
  return lstatSync(guestFolder(area, bot), { throwIfNoEntry: false }) !== undefined;
}

function guestFolder(area: string, bot: string): string {
  return join(engineFolder(area), "state", encodeName(bot));
}

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

/** The file paths of one session. */
export type SessionPaths = {
  readonly area: string;
  readonly journal: string;
  /** The file that shows it. */
  readonly file: string;
  /** The last version of that file that we wrote. */
  readonly shown: string;
  readonly kept: string;
};

/** The paths of one session in a project area; creates nothing. */
export function sessionPaths(area: string, id: string): SessionPaths {
  const own = engineFolder(area);
  const name = encodeName(id);
  return {
    area,
    journal: join(own, "journal", "sessions", `${name}.jsonl`),
    file: join(own, "sessions", `${name}.json`),
    shown: join(own, "journal", "sessions", `${name}.shown`),
    kept: join(own, "kept"),
  };
}

/** The journal path of a stream. */
export function journalPath(area: string, id: StreamId): string {
  return id.kind === "bot" ? botPaths(area, id).journal : sessionPaths(area, id.name).journal;
}

/** Every path of a stream where only our files and folders may be. */
export function enginePaths(area: string, id: StreamId): readonly string[] {
  const shared = ["tmp", "kept", "held"].map((name) => join(engineFolder(area), name));
  if (id.kind === "session") {
    const { journal, file, shown } = sessionPaths(area, id.name);
    return [journal, file, shown, ...shared];
  }
  const { journal, marker, checkpoint, shown, state, log } = botPaths(area, id);
  return [journal, marker, checkpoint, shown.state, shown.log, state, log, ...shared];
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

/** Reverses `encodeName`; undefined for anything else. */
export function decodeName(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
