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
  readonly tmp: string;
  readonly kept: string;
  readonly state: string;
  readonly log: string;
};

/** Names the places of one bot in a project area; creates nothing. */
export function placesOf(area: string, bot: string): Places {
  const own = ownFolder(area);
  const name = encodeName(bot);
  return {
    area,
    own,
    journal: join(own, "journal", `${name}.jsonl`),
    marker: join(own, "journal", `${name}.published`),
    checkpoint: join(own, "journal", `${name}.checkpoint`),
    tmp: join(own, "tmp"),
    kept: join(own, "kept"),
    state: join(area, "workflow_state.json"),
    log: join(area, "activity_log.json"),
  };
}

/** Where everything of one session stands on disk. */
export type SessionPlaces = {
  readonly area: string;
  readonly journal: string;
  /** The file that shows it. */
  readonly file: string;
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
    kept: join(own, "kept"),
  };
}

/** Where the journal of a desk stands. */
export function journalOf(area: string, { kind, name }: DeskId): string {
  return kind === "bot" ? placesOf(area, name).journal : sessionPlaces(area, name).journal;
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
