import { join } from "node:path";
import type { DeskId } from "../../engine/ports.ts";

/** Where everything of one desk stands on disk. */
export type Places = {
  readonly area: string;
  /** The engine's own folder in the project area. */
  readonly own: string;
  readonly journal: string;
  /** Says from which record on the state file has stood there for good. */
  readonly marker: string;
  /** What the journal added up to when it was last opened: a cache. */
  readonly checkpoint: string;
  /** Which versions of the two views were the last of ours. */
  readonly shown: { readonly state: string; readonly log: string };
  readonly tmp: string;
  readonly kept: string;
  readonly state: string;
  readonly log: string;
};

/** Names the places of one run of a bot in a project area; creates nothing. What shows a named run stands apart, so that it shows in nobody's way. */
export function placesOf(area: string, { name: bot, run }: Pick<DeskId, "name" | "run">): Places {
  const own = ownFolder(area);
  const records = join(own, "journal", ...runPath(bot, run));
  const folder = run === undefined ? area : join(own, "runs", encodeName(bot), ...run.split("/"));
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

/** Where the engine's files of a bot stand in one of its folders, and those of a named run: below it, each in a file of its own. */
export function runPath(bot: string, run: string | undefined): readonly string[] {
  return run === undefined ? [encodeName(bot)] : [runsFolder, encodeName(bot), encodeRun(run)];
}

/** The folder for named runs, in each of the engine's folders. */
export const runsFolder = "runs";

/** Writes a run's name, which holds nothing but letters, digits and `._-/`, as one part of a file name. */
function encodeRun(run: string): string {
  return run.replaceAll("/", "%2F");
}

/** Where everything of one session stands on disk. */
export type SessionPlaces = {
  readonly area: string;
  readonly journal: string;
  /** The file that shows it. */
  readonly file: string;
  /** Which version of that file was the last of ours. */
  readonly shown: string;
  readonly kept: string;
};

/** Names the places of one session in a project area; creates nothing. */
export function sessionPlaces(area: string, id: string): SessionPlaces {
  const own = ownFolder(area);
  const name = encodeName(id);
  return {
    area,
    journal: join(own, "journal", "sessions", `${name}.jsonl`),
    file: join(own, "sessions", `${name}.json`),
    shown: join(own, "journal", "sessions", `${name}.shown`),
    kept: join(own, "kept"),
  };
}

/** Where the journal of a desk stands. */
export function journalOf(area: string, id: DeskId): string {
  return id.kind === "bot" ? placesOf(area, id).journal : sessionPlaces(area, id.name).journal;
}

/** Every place where only files and folders of ours may stand, for one desk. */
export function ownPlaces(area: string, id: DeskId): readonly string[] {
  const shared = ["tmp", "kept", "held"].map((name) => join(ownFolder(area), name));
  if (id.kind === "session") {
    const { journal, file, shown } = sessionPlaces(area, id.name);
    return [journal, file, shown, ...shared];
  }
  const { journal, marker, checkpoint, shown, state, log } = placesOf(area, id);
  return [journal, marker, checkpoint, shown.state, shown.log, state, log, ...shared];
}

/** The folder under which the engine keeps what is its own. */
export function ownFolder(area: string): string {
  return join(area, ".waymark");
}

/** Writes a name so that it is one harmless part of a file name; `decodeName` gives it back. */
export function encodeName(name: string): string {
  return [...Buffer.from(name)]
    .map((byte) => {
      const letter = String.fromCharCode(byte);
      return /[\w-]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
}

/** Reads what `encodeName` wrote; undefined for anything else. */
export function decodeName(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
