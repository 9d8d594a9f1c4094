import { join } from "node:path";
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
  /** The files that show the stream, each with the marker of the last version that we wrote. */
  readonly views: readonly { readonly file: string; readonly shown: string }[];
};

/** The file paths of a bot's run, with its two views. */
export type BotPaths = StreamPaths & {
  readonly state: string;
  readonly log: string;
  readonly shown: { readonly state: string; readonly log: string };
};

/** The file paths of a session, with the file that shows it. */
export type SessionPaths = StreamPaths & { readonly file: string; readonly shown: string };

/** The paths of one stream in a project area; creates nothing. */
export function streamPaths(area: string, id: StreamId): StreamPaths {
  return id.kind === "bot" ? botPaths(area, id) : sessionPaths(area, id.name);
}

/** The paths of one run of a bot. The views of a named run are in their own folder. */
export function botPaths(area: string, { name: bot, run }: Pick<StreamId, "name" | "run">): BotPaths {
  const path = runPath(bot, run);
  const common = commonPaths(area, path, path);
  const { records, own } = common;
  const folder = run === undefined ? area : join(own, "runs", encodeName(bot), ...run.split("/"));
  const [state, log] = [join(folder, "workflow_state.json"), join(folder, "activity_log.json")];
  const shown = { state: `${records}.state.shown`, log: `${records}.log.shown` };
  const views = [
    { file: state, shown: shown.state },
    { file: log, shown: shown.log },
  ];
  return { ...common, state, log, shown, views };
}

/** The paths of one session. */
export function sessionPaths(area: string, id: string): SessionPaths {
  const name = encodeName(id);
  const common = commonPaths(area, ["sessions", name], [encodeName(`${signedSession}${id}`)]);
  const [file, shown] = [join(common.own, "sessions", `${name}.json`), `${common.records}.shown`];
  return { ...common, file, shown, views: [{ file, shown }] };
}

function commonPaths(area: string, path: readonly string[], heads: readonly string[]) {
  const own = engineFolder(area);
  const records = join(own, "journal", ...path);
  return {
    ...{ area, own, records },
    journal: `${records}.jsonl`,
    marker: `${records}.published`,
    checkpoint: `${records}.checkpoint`,
    heads: `${join(own, "heads", ...heads)}.jsonl`,
    tmp: join(own, "tmp"),
    kept: join(own, "kept"),
  };
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
  const { own, journal, marker, checkpoint, views } = streamPaths(area, id);
  const shared = ["tmp", "kept", "held"].map((name) => join(own, name));
  return [journal, marker, checkpoint, ...views.flatMap(({ file, shown }) => [shown, file]), ...shared];
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
