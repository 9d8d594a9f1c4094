import { join, relative, resolve } from "node:path";
import type { Clock, DeskId, EventLog, Views } from "../../engine/ports.ts";
import { deskKey } from "../desk-key.ts";
import type { Store } from "../store.ts";
import { type AuditedDesk, auditDesk } from "./audit-desk.ts";
import { auditBelief } from "./belief/audit-belief.ts";
import { type Believing, believesIn } from "./belief/believing.ts";
import { type Machine, openMachine } from "./belief/machine.ts";
import { openMemory } from "./belief/memory.ts";
import { openBotDesk } from "./bot-desk.ts";
import { botsAtWork } from "./bots-at-work.ts";
import type { Guarded } from "./content-place.ts";
import { openDeskPool } from "./desk-pool.ts";
import { sweepTemps } from "./disk.ts";
import { type AreasNow, fileContent } from "./file-content.ts";
import { fileHeads } from "./file-heads.ts";
import { fileMoving } from "./file-moving.ts";
import { followFile } from "./follow.ts";
import { freshFiles } from "./fresh-files.ts";
import type { OnRead } from "./lines.ts";
import type { OpenDesk } from "./open-desk.ts";
import { openViews } from "./open-views.ts";
import { ignoreOwn } from "./own-ignore.ts";
import { journalOf, ownFolder } from "./places.ts";
import { openSessionDesk } from "./session-desk.ts";
import { desksIn, isBegun } from "./traces.ts";

/** So many desks stay open at once. */
const mostOpen = 48;

/** The clock; what this machine keeps outside every project: its user's own, where nothing else is named; whether the settings have git keep the histories, and whether git has a file of the project area as it stands, or keeps it on another branch. `guarded`: folders that content may not touch, wherever they lie. `areas`: those whose two JSON files it may not touch either. `onRead` hears how far the reading of a history has come. */
type FileStoreParts = {
  readonly clock: Clock;
  readonly machine?: Machine;
  readonly isCommitted?: () => Promise<boolean>;
  readonly isFileInGit?: (area: string, path: string) => Promise<boolean>;
  readonly guarded?: readonly Guarded[];
  readonly areas?: AreasNow;
  readonly onRead?: OnRead | undefined;
};

/** A project area in files, shared with any number of processes. A desk is opened when it is first asked for; nothing is created before the first record. */
export function fileStore(projectArea: string, parts: FileStoreParts): Store {
  const { clock, machine: given = openMachine(), guarded = [], areas, onRead } = parts;
  const { isCommitted = async () => false, isFileInGit = async () => false } = parts;
  const area = resolve(projectArea);
  const machine = given.isOutside(area) ? given : undefined;
  const memory = machine && openMemory(machine, area);
  const isInGit = async (id: DeskId): Promise<boolean> =>
    (await isCommitted()) && (await isFileInGit(area, relative(area, journalOf(area, id)).replaceAll("\\", "/")));
  const believing = (id: DeskId): Believing => ({ machine, seen: memory?.of(id), isInGit: () => isInGit(id) });
  const kept = { guarded, ...(areas === undefined ? {} : { areas }) };
  const tmp = join(ownFolder(area), "tmp");
  const fresh = freshFiles(tmp);
  const hooksSee = openViews(area, tmp);
  const desks = openDeskPool(open, mostOpen);
  const follows = new Set<() => void>();
  let isSwept = false;
  let isIgnored = false;
  let tellGit: (() => void) | undefined;
  /** What was found beside a history that was read again: whoever asks for its views next need not wait for it twice. */
  let audited: ({ readonly key: string } & Pick<AuditedDesk, "views">) | undefined;

  /** Git is told after the answer; by a process that ends before, as it ends. */
  const ignoreLater = (isKept: boolean): void => {
    tellGit = () => {
      tellGit = undefined;
      ignoreOwn(area, isKept);
    };
    setTimeout(() => tellGit?.(), 5).unref();
  };

  /** Works at a desk, and shows hooks what came of it. */
  const showing = (id: DeskId, work: (desk: OpenDesk) => Promise<readonly string[]>): Promise<readonly string[]> =>
    desks.at(id, async (desk) => {
      const warnings = await work(desk);
      hooksSee.later(id, desk.desk);
      if (!isIgnored) void isCommitted().then(ignoreLater, () => undefined);
      isIgnored = true;
      return warnings;
    });

  function open(id: DeskId): OpenDesk {
    if (!isSwept) sweepTemps(tmp);
    isSwept = true;
    return id.kind === "bot"
      ? openBotDesk(area, id, clock, believing(id), onRead)
      : openSessionDesk(area, id.name, { clock, fresh, believing: believing(id) });
  }

  function close(): void {
    for (const stop of follows) stop();
    follows.clear();
    hooksSee.close();
    tellGit?.();
    desks.close();
    fresh.close();
  }

  const log: EventLog = {
    async desks(kind) {
      const traced = desksIn(area, kind);
      // Of what git keeps, a session or a run that is not here may be another branch's.
      if (memory === undefined || (kind !== undefined && (await isCommitted()))) return traced;
      return [...traced, ...memory.desksBut(traced).filter((id) => (kind ?? id.kind) === id.kind)];
    },
    has: async (id) => isBegun(area, id),
    look: (id) => desks.at(id, (desk) => desk.look()),
    append: (id, seen, events, how) => desks.at(id, (desk) => desk.append(seen, events, how)),
    records: (id, from = 0) => desks.reading(id, (desk) => desk.records(from)),
    follow(id, changed) {
      const stop = followFile(journalOf(area, id), changed);
      follows.add(stop);
      return () => {
        stop();
        follows.delete(stop);
      };
    },
    async audit(id) {
      const belief = believing(id);
      const read = auditDesk(area, id, { onRead, believes: believesIn(belief.seen) });
      const both = await auditBelief(area, id, read, belief);
      audited = { key: deskKey(id), views: both.views };
      return both.log;
    },
    owes: (id) => desks.known(id)?.owes() ?? false,
    close,
  };
  const views: Views = {
    look: (id) => desks.at(id, (desk) => desk.view()),
    publish: (id) => showing(id, (desk) => desk.publish()),
    repair: (id, repair) => showing(id, (desk) => desk.repair(repair)),
    shown: (id) => desks.at(id, (desk) => desk.shown()),
    async audit(id) {
      const read = audited?.key === deskKey(id) ? audited : auditDesk(area, id);
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
    atWork: async () => botsAtWork(area),
    moving: fileMoving(area),
    isInGit,
    close,
  };
}
