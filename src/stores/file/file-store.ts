import { join, resolve } from "node:path";
import type { Clock, DeskId, EventLog, Views } from "../../engine/ports.ts";
import { deskKey } from "../desk-key.ts";
import type { Store } from "../store.ts";
import { type AuditedDesk, auditDesk } from "./audit-desk.ts";
import { auditBelief } from "./belief/audit-belief.ts";
import type { Believing } from "./belief/believing.ts";
import { type Machine, openMachine } from "./belief/machine.ts";
import { openMemory } from "./belief/memory.ts";
import { openBotDesk } from "./bot-desk.ts";
import { botsAtWork } from "./bots-at-work.ts";
import type { Guarded } from "./content-place.ts";
import { sweepTemps } from "./disk.ts";
import { fileContent } from "./file-content.ts";
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

/** So many desks stay open at once: the files that a process holds do not grow with the number of runs. */
const mostOpen = 48;

/** The clock; what this machine keeps outside every project: its user's own, where nothing else is named; whether git keeps the histories. `guarded`: folders that content may not touch, wherever they lie. `onRead` hears how far the reading of a history has come. */
type FileStoreParts = {
  readonly clock: Clock;
  readonly machine?: Machine;
  readonly isCommitted?: () => Promise<boolean>;
  readonly guarded?: readonly Guarded[];
  readonly onRead?: OnRead | undefined;
};

/** A project area in files, shared with any number of processes. A desk is opened when it is first asked for; nothing is created before the first record. */
export function fileStore(projectArea: string, parts: FileStoreParts): Store {
  const { clock, machine: given = openMachine(), isCommitted = async () => false, guarded = [], onRead } = parts;
  const area = resolve(projectArea);
  const machine = given.isOutside(area) ? given : undefined;
  const memory = machine && openMemory(machine, area);
  const believing = (id: DeskId): Believing => ({ machine, seen: memory?.of(id), isCommitted });
  const tmp = join(ownFolder(area), "tmp");
  const fresh = freshFiles(tmp);
  const hooksSee = openViews(area, tmp);
  /** The open desks, the one that was used last at the end. */
  const desks = new Map<string, { readonly desk: OpenDesk; users: number }>();
  const waiting: (() => void)[] = [];
  const follows = new Set<() => void>();
  let isSwept = false;
  let isIgnored = false;
  let tellGit: (() => void) | undefined;
  /** What was found beside a history that was read again: whoever asks for its views next need not wait for it twice. */
  let audited: ({ readonly key: string } & Pick<AuditedDesk, "views">) | undefined;

  /** Works at a desk, which stays open meanwhile. Where all that may be open are in use, one waits for another to be left. */
  async function at<T>(id: DeskId, work: (desk: OpenDesk) => Promise<T>): Promise<T> {
    while (desks.size >= mostOpen && !desks.has(deskKey(id)) && inUse() >= mostOpen)
      await new Promise<void>((resolve) => waiting.push(resolve));
    const entry = enter(id);
    try {
      return await work(entry.desk);
    } finally {
      entry.users--;
      if (entry.users === 0) waiting.shift()?.();
    }
  }

  /** Git is told after the answer; by a process that ends before, as it ends. */
  const ignoreLater = (isKept: boolean): void => {
    tellGit = () => {
      tellGit = undefined;
      ignoreOwn(area, isKept);
    };
    setTimeout(() => tellGit?.(), 5).unref();
  };

  /** The same for what publishes a desk: hooks are shown it as well. */
  const showing = (id: DeskId, work: (desk: OpenDesk) => Promise<readonly string[]>): Promise<readonly string[]> =>
    at(id, async (desk) => {
      const warnings = await work(desk);
      hooksSee.later(id, desk.desk);
      if (!isIgnored) void isCommitted().then(ignoreLater, () => undefined);
      isIgnored = true;
      return warnings;
    });

  function inUse(): number {
    let count = 0;
    for (const { users } of desks.values()) if (users > 0) count++;
    return count;
  }

  function enter(id: DeskId): { readonly desk: OpenDesk; users: number } {
    const key = deskKey(id);
    if (!isSwept) sweepTemps(tmp);
    isSwept = true;
    const entry = desks.get(key) ?? { desk: open(id), users: 0 };
    entry.users++;
    desks.delete(key);
    desks.set(key, entry);
    if (desks.size > mostOpen) leaveOldest();
    return entry;
  }

  function open(id: DeskId): OpenDesk {
    return id.kind === "bot"
      ? openBotDesk(area, id, clock, believing(id), onRead)
      : openSessionDesk(area, id.name, { clock, fresh, believing: believing(id) });
  }

  /** Closes the desk that nobody has used for longest, where one holds nothing that is still to be written. */
  function leaveOldest(): void {
    const oldest = [...desks].find(([, { desk, users }]) => users === 0 && !desk.owes());
    oldest?.[1].desk.close();
    if (oldest !== undefined) desks.delete(oldest[0]);
  }

  function close(): void {
    for (const stop of follows) stop();
    follows.clear();
    hooksSee.close();
    tellGit?.();
    for (const { desk } of desks.values()) desk.close();
    desks.clear();
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
    look: (id) => at(id, (desk) => desk.look()),
    append: (id, seen, events, how) => at(id, (desk) => desk.append(seen, events, how)),
    async *records(id, from = 0) {
      const entry = enter(id);
      try {
        yield* entry.desk.records(from);
      } finally {
        entry.users--;
      }
    },
    follow(id, changed) {
      const stop = followFile(journalOf(area, id), changed);
      follows.add(stop);
      return () => {
        stop();
        follows.delete(stop);
      };
    },
    async audit(id) {
      const both = await auditBelief(area, id, auditDesk(area, id, onRead), believing(id));
      audited = { key: deskKey(id), views: both.views };
      return both.log;
    },
    owes: (id) => desks.get(deskKey(id))?.desk.owes() ?? false,
    close,
  };
  const views: Views = {
    look: (id) => at(id, (desk) => desk.view()),
    publish: (id) => showing(id, (desk) => desk.publish()),
    repair: (id, repair) => showing(id, (desk) => desk.repair(repair)),
    shown: (id) => at(id, (desk) => desk.shown()),
    async audit(id) {
      const read = audited?.key === deskKey(id) ? audited : auditDesk(area, id);
      audited = undefined;
      return read.views;
    },
  };
  return {
    log,
    views,
    content: fileContent(area, { guarded }),
    contentIn: (other) => fileContent(resolve(other), { historyArea: area, guarded }),
    heads: fileHeads(area),
    atWork: async () => botsAtWork(area),
    moving: fileMoving(area),
    close,
  };
}
