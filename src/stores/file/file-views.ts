import { join, resolve } from "node:path";
import type { Clock } from "../../engine/ports/clock.ts";
import type { EventLog } from "../../engine/ports/event-log.ts";
import type { FoundView, Views } from "../../engine/ports/views.ts";
import { unloggedText, unsavedText } from "../../messages/fixed-texts.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { viewsOnRequest } from "../projections/views-on-request.ts";
import { streamKey } from "../stream-key.ts";
import { type AuditedView, auditBotFiles, auditSessionFile } from "./audit-views.ts";
import { type BotTotals, botReducer, emptyTotals, type JournalTotals } from "./journal-totals.ts";
import { openLogFile } from "./log-file.ts";
import type { ViewRecords } from "./records.ts";
import { openRecordsMirror } from "./records-mirror.ts";
import { openSessionView } from "./session-view-file.ts";
import { openStateFile } from "./state-file.ts";
import { botPaths, engineFolder, sessionPaths } from "./stream-paths.ts";
import { type FreshFiles, freshFiles } from "./temp-files.ts";

/** The most streams open at once. */
const mostOpen = 48;

/** The files that show histories stored elsewhere, under the same rules as with a local history. */
export function fileViews(projectArea: string, log: EventLog, clock: Clock): Views & { close(): void } {
  const area = resolve(projectArea);
  const fresh = freshFiles(join(engineFolder(area), "tmp"));
  const known = new Map<string, StreamFiles>();
  const made = viewsOnRequest(log);

  function filesOf(id: StreamId): StreamFiles {
    const key = streamKey(id);
    const files =
      known.get(key) ??
      (id.kind === "bot" ? botFiles(area, id, log, clock) : sessionFiles(area, id, log, { clock, fresh }));
    known.delete(key);
    known.set(key, files);
    const [oldest] = known.size > mostOpen ? known : [];
    oldest?.[1].close();
    if (oldest !== undefined) known.delete(oldest[0]);
    return files;
  }

  return {
    compare: (id) => filesOf(id).look(),
    publish: (id) => filesOf(id).publish(false),
    repair: (id) => filesOf(id).publish(true),
    contents: made.contents,
    audit: (id) => filesOf(id).audit(),
    close() {
      for (const files of known.values()) files.close();
      known.clear();
      fresh.close();
    },
  };
}

/** The files that show one stream. */
type StreamFiles = {
  look(): Promise<FoundView>;
  publish(removes: boolean): Promise<readonly string[]>;
  audit(): Promise<readonly AuditedView[]>;
  close(): void;
};

function botFiles(area: string, id: StreamId, log: EventLog, clock: Clock): StreamFiles {
  const places = botPaths(area, id);
  const mirror = openRecordsMirror(log, id, botReducer(id.name));
  const opened = onceGiven((records: ViewRecords<BotTotals>) => ({
    state: openStateFile(places, records, clock),
    log: openLogFile(places, records, clock),
  }));
  /** Publishes until nothing was recorded in between, so that a slow window leaves no older file. */
  async function put(removes: boolean): Promise<readonly string[]> {
    for (;;) {
      const { head, failures } = await mirror.at((records) => {
        const { state, log } = opened(records);
        const isShown = removes ? state.repair() : state.publish();
        const failures = [isShown ? [] : [unsavedText], log.publish() ? [] : [unloggedText]].flat();
        return { head: records.ledger().chain.head, failures };
      });
      if ((await log.load(id)).head === head) return [...failures, ...(opened.known()?.log.takeNotices() ?? [])];
    }
  }

  return {
    async look() {
      const isOwed = await mirror.at(
        (records) => records.seen() > 0 && (opened(records).log.isOwed() || opened(records).state.isOwed()),
      );
      const warnings = isOwed ? await put(false) : [];
      return mirror.at((records) => {
        const { state, log } = opened(records);
        const found = state.look();
        const foundLog = records.seen() === 0 ? log.found() : undefined;
        const said = [...warnings, ...state.takeNotices()];
        return { found, answers: state.saw(), warnings: said, ...(foundLog === undefined ? {} : { foundLog }) };
      });
    },
    publish: put,
    audit: () => mirror.at((records) => auditBotFiles(area, id, records)),
    close() {
      const { state, log } = opened.known() ?? {};
      state?.close();
      log?.close();
    },
  };
}

function sessionFiles(
  area: string,
  id: StreamId,
  log: EventLog,
  { clock, fresh }: { readonly clock: Clock; readonly fresh: FreshFiles },
): StreamFiles {
  const mirror = openRecordsMirror<JournalTotals>(log, id, { empty: emptyTotals, add: () => {} });
  const opened = onceGiven((records: ViewRecords<JournalTotals>) =>
    openSessionView(id.name, sessionPaths(area, id.name), { records, fresh, clock }),
  );
  return {
    look: () => mirror.at((records) => ({ found: opened(records).look(), warnings: [] })),
    publish: () => mirror.at((records) => opened(records).publish()),
    audit: () => mirror.at((records) => auditSessionFile(area, id.name, records)),
    close() {},
  };
}

/** Opens something once its records are available. */
function onceGiven<R, T>(open: (records: R) => T): ((records: R) => T) & { known(): T | undefined } {
  let known: T | undefined;
  const given = (records: R): T => {
    known ??= open(records);
    return known;
  };
  return Object.assign(given, { known: () => known });
}
