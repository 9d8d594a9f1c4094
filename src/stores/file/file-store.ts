import { join, relative, resolve } from "node:path";
import type { Clock } from "../../engine/ports/clock.ts";
import type { EventLog } from "../../engine/ports/event-log.ts";
import type { Views } from "../../engine/ports/views.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import type { Store } from "../store.ts";
import { streamKey } from "../stream-key.ts";
import { sweepTemps } from "./atomic-file.ts";
import { auditStream, type StreamAudit } from "./audit-stream.ts";
import { openBotStream } from "./bot-stream.ts";
import { botsInArea } from "./bots-in-area.ts";
import type { Guarded } from "./content-target.ts";
import { type AreasNow, fileContent } from "./file-content.ts";
import { fileForgetting } from "./file-forgetting.ts";
import { fileHeads } from "./file-heads.ts";
import { fileNotices } from "./file-notices.ts";
import type { FileStream } from "./file-stream.ts";
import { fileTransfer } from "./file-transfer.ts";
import { followArea } from "./follow-area.ts";
import { followFile } from "./follow-file.ts";
import { ignoreEngineFiles } from "./git-ignore.ts";
import { openViews } from "./open-views.ts";
import type { OnRead } from "./read-lines.ts";
import { openSessionStream } from "./session-stream.ts";
import { engineFolder, streamPaths } from "./stream-paths.ts";
import { openStreamPool } from "./stream-pool.ts";
import { freshFiles } from "./temp-files.ts";
import { isBegun, streamsIn } from "./traced-streams.ts";
import { openAreaMemory } from "./trust/area-memory.ts";
import { auditTrust } from "./trust/audit-trust.ts";
import { type MachineState, openMachineState } from "./trust/machine-state.ts";
import { type TrustBasis, trustsIn } from "./trust/trust-basis.ts";

/** The most streams open at once. */
const mostOpen = 48;

/**
 * The dependencies of a file store: the clock; this machine's state; the git settings and facts about the history; `guarded` folders that
 * content must not touch; `areas` whose JSON files it must not touch; `onRead` for progress.
 */
type FileStoreParts = {
  readonly clock: Clock;
  readonly machine?: MachineState;
  readonly isCommitted?: () => Promise<boolean>;
  readonly isFileInGit?: (area: string, path: string) => Promise<boolean>;
  readonly guarded?: readonly Guarded[];
  readonly areas?: AreasNow;
  readonly onRead?: OnRead | undefined;
  /** Tells if a bot's views are kept apart because another bot has its own in this area. */
  readonly isGuest?: (bot: string) => boolean;
};

/** A project area in files, shared by any number of processes. Streams open on first use; nothing is created before the first record. */
export function fileStore(projectArea: string, parts: FileStoreParts): Store {
  const { clock, machine: given = openMachineState(), guarded = [], areas, onRead } = parts;
  const { isCommitted = async () => false, isFileInGit = async () => false } = parts;
  const area = resolve(projectArea);
  const machine = given.isOutside(area) ? given : undefined;
  const memory = machine && openAreaMemory(machine, area);
  const isInGit = async (id: StreamId): Promise<boolean> =>
    (await isCommitted()) &&
    (await isFileInGit(area, relative(area, streamPaths(area, id).journal).replaceAll("\\", "/")));
  const believing = (id: StreamId): TrustBasis => ({ machine, seen: memory?.of(id), isInGit: () => isInGit(id) });
  const kept = { guarded, ...(areas === undefined ? {} : { areas }) };
  const tmp = join(engineFolder(area), "tmp");
  const fresh = freshFiles(tmp);
  const hooksSee = openViews(area, tmp);
  const streams = openStreamPool(open, mostOpen);
  const follows = new Set<() => void>();
  let isSwept = false;
  let isIgnored = false;
  let tellGit: (() => void) | undefined;
  /** The views of the history that was last audited, so that they are not read twice. */
  let audited: ({ readonly key: string } & Pick<StreamAudit, "views">) | undefined;

  /** Updates git's ignore files after the reply, or when the process exits. */
  const ignoreLater = (isKept: boolean): void => {
    tellGit = () => {
      tellGit = undefined;
      ignoreEngineFiles(area, isKept);
    };
    setTimeout(() => tellGit?.(), 5).unref();
  };

  /** Works on a stream and updates the view for hooks. */
  const showing = (
    id: StreamId,
    work: (stream: FileStream) => Promise<readonly string[]>,
  ): Promise<readonly string[]> =>
    streams.at(id, async (stream) => {
      const warnings = await work(stream);
      hooksSee.later(id, stream.stream);
      if (!isIgnored) void isCommitted().then(ignoreLater, () => undefined);
      isIgnored = true;
      return warnings;
    });

  function open(id: StreamId): FileStream {
    if (!isSwept) sweepTemps(tmp);
    isSwept = true;
    return id.kind === "bot"
      ? openBotStream(area, id, clock, believing(id), { onRead, isGuest: parts.isGuest?.(id.name) })
      : openSessionStream(area, id.name, { clock, fresh, believing: believing(id) });
  }

  function close(): void {
    for (const stop of follows) stop();
    follows.clear();
    hooksSee.close();
    tellGit?.();
    streams.close();
    fresh.close();
  }

  const log: EventLog = {
    async streams(kind) {
      const traced = streamsIn(area, kind);
      // A committed session or run that is missing here may be on another branch.
      if (memory === undefined || (kind !== undefined && (await isCommitted()))) return traced;
      return [...traced, ...memory.streamsExcept(traced).filter((id) => (kind ?? id.kind) === id.kind)];
    },
    has: async (id) => isBegun(area, id),
    load: (id) => streams.at(id, (stream) => stream.look()),
    append: (id, seen, events, how) => streams.at(id, (stream) => stream.append(seen, events, how)),
    records: (id, from = 0) => streams.reading(id, (stream) => stream.records(from)),
    watch(id, changed) {
      const stop = followFile(streamPaths(area, id).journal, changed);
      follows.add(stop);
      return () => {
        stop();
        follows.delete(stop);
      };
    },
    follow(changed) {
      const stop = followArea(area, changed);
      follows.add(stop);
      return () => {
        stop();
        follows.delete(stop);
      };
    },
    async audit(id) {
      const trust = believing(id);
      const read = auditStream(area, id, { onRead, trusts: trustsIn(trust.seen), machine });
      const both = await auditTrust(area, id, read, trust);
      audited = { key: streamKey(id), views: both.views };
      return both.log;
    },
    hasUnwritten: (id) => streams.known(id)?.isPublicationDue() ?? false,
    close,
  };
  const views: Views = {
    compare: (id) => streams.at(id, (stream) => stream.view()),
    publish: (id) => showing(id, (stream) => stream.publish()),
    repair: (id, repair) => showing(id, (stream) => stream.repair(repair)),
    contents: (id) => streams.at(id, (stream) => stream.shown()),
    async audit(id) {
      const read = audited?.key === streamKey(id) ? audited : auditStream(area, id);
      audited = undefined;
      return read.views;
    },
  };
  return {
    log,
    views,
    content: fileContent(area, kept),
    contentIn: (other) => fileContent(resolve(other), { historyArea: area, ...kept }),
    heads: fileHeads(area),
    notices: fileNotices(area),
    forgetting: fileForgetting(area, { drop: streams.drop, memory }),
    activeBots: async () => botsInArea(area),
    transfer: fileTransfer(area),
    isInGit,
    close,
  };
}
