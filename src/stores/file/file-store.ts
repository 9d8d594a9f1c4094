import { join, resolve } from "node:path";
import type { Clock, DeskId, EventLog, Views } from "../../engine/ports.ts";
import type { Store } from "../store.ts";
import { auditLog } from "./audit-log.ts";
import { auditViews } from "./audit-views.ts";
import { openBotDesk } from "./bot-desk.ts";
import { botsAtWork } from "./bots-at-work.ts";
import { sweepTemps } from "./disk.ts";
import { fileContent } from "./file-content.ts";
import { fileHeads } from "./file-heads.ts";
import { followFile } from "./follow.ts";
import { freshFiles } from "./fresh-files.ts";
import type { OpenDesk } from "./open-desk.ts";
import { journalOf, ownFolder } from "./places.ts";
import { openSessionDesk } from "./session-desk.ts";
import { desksIn, isBegun } from "./traces.ts";

/** A project area in files, shared with any number of processes. A desk is opened when it is first asked for; nothing is created before the first record. */
export function fileStore(projectArea: string, { clock }: { readonly clock: Clock }): Store {
  const area = resolve(projectArea);
  const tmp = join(ownFolder(area), "tmp");
  const fresh = freshFiles(tmp);
  const desks = new Map<string, OpenDesk>();
  const follows = new Set<() => void>();
  const keyOf = ({ kind, name }: DeskId): string => `${kind} ${name}`;

  function deskOf(id: DeskId): OpenDesk {
    const known = desks.get(keyOf(id));
    if (known !== undefined) return known;
    if (desks.size === 0) sweepTemps(tmp);
    const { kind, name } = id;
    const opened = kind === "bot" ? openBotDesk(area, name, clock) : openSessionDesk(area, name, clock, fresh);
    desks.set(keyOf(id), opened);
    return opened;
  }

  function close(): void {
    for (const stop of follows) stop();
    follows.clear();
    for (const desk of desks.values()) desk.close();
    fresh.close();
  }

  const log: EventLog = {
    desks: async () => desksIn(area),
    has: async (id) => isBegun(area, id),
    look: (id) => deskOf(id).look(),
    append: (id, seen, events, how) => deskOf(id).append(seen, events, how),
    records: (id, from = 0) => deskOf(id).records(from),
    follow(id, changed) {
      const stop = followFile(journalOf(area, id), changed);
      follows.add(stop);
      return () => {
        stop();
        follows.delete(stop);
      };
    },
    audit: async (id) => auditLog(area, id),
    owes: (id) => desks.get(keyOf(id))?.owes() ?? false,
    close,
  };
  const views: Views = {
    look: (id) => deskOf(id).view(),
    publish: (id) => deskOf(id).publish(),
    repair: (id, repair) => deskOf(id).repair(repair),
    shown: (id) => deskOf(id).shown(),
    audit: async (id) => auditViews(area, id),
  };
  return {
    log,
    views,
    content: fileContent(area),
    heads: fileHeads(area),
    atWork: async () => botsAtWork(area),
    close,
  };
}
