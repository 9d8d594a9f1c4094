import { join, resolve } from "node:path";
import type { Clock, DeskId, EventLog, Viewed, Views } from "../../engine/ports.ts";
import { unloggedText, unsavedText } from "../../words/texts.ts";
import { deskKey } from "../desk-key.ts";
import { viewsOnRequest } from "../projections/views-on-request.ts";
import { type AuditedView, auditBotFiles, auditSessionFile } from "./audit-views.ts";
import { type FreshFiles, freshFiles } from "./fresh-files.ts";
import { botBookkeeping, emptyTally, type Ledger, type Tally } from "./ledger.ts";
import { openLogFile } from "./log-file.ts";
import { openMirror } from "./mirror.ts";
import { ownFolder, placesOf, sessionPlaces } from "./places.ts";
import type { Recorded } from "./records.ts";
import { openSessionFile } from "./session-file.ts";
import { openStateFile } from "./state-file.ts";

/** So many desks stay open at once. */
const mostOpen = 48;

/** The files of a project area that show histories kept elsewhere: the same files as with a history beside them, obeyed and undone by the same rules. */
export function fileViews(projectArea: string, log: EventLog, clock: Clock): Views & { close(): void } {
  const area = resolve(projectArea);
  const fresh = freshFiles(join(ownFolder(area), "tmp"));
  const known = new Map<string, DeskFiles>();
  const made = viewsOnRequest(log);

  function filesOf(id: DeskId): DeskFiles {
    const key = deskKey(id);
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
    look: (id) => filesOf(id).look(),
    publish: (id) => filesOf(id).publish(false),
    repair: (id) => filesOf(id).publish(true),
    shown: made.shown,
    audit: (id) => filesOf(id).audit(),
    close() {
      for (const files of known.values()) files.close();
      known.clear();
      fresh.close();
    },
  };
}

/** The files that show one desk. */
type DeskFiles = {
  look(): Promise<Viewed>;
  publish(removes: boolean): Promise<readonly string[]>;
  audit(): Promise<readonly AuditedView[]>;
  close(): void;
};

function botFiles(area: string, id: DeskId, log: EventLog, clock: Clock): DeskFiles {
  const places = placesOf(area, id);
  const mirror = openMirror(log, id, botBookkeeping(id.name));
  const opened = onceGiven((records: Recorded<Ledger>) => ({
    state: openStateFile(places, records, clock),
    log: openLogFile(places, records, clock),
  }));
  /** Publishes until nobody has recorded anything in between, so that a slow window leaves no older file behind. */
  async function put(removes: boolean): Promise<readonly string[]> {
    for (;;) {
      const { head, failures } = await mirror.at((records) => {
        const { state, log } = opened(records);
        const isShown = removes ? state.repair() : state.publish();
        const failures = [isShown ? [] : [unsavedText], log.publish() ? [] : [unloggedText]].flat();
        return { head: records.ledger().chain.head, failures };
      });
      if ((await log.look(id)).head === head) return [...failures, ...(opened.known()?.log.takeNotices() ?? [])];
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
  id: DeskId,
  log: EventLog,
  { clock, fresh }: { readonly clock: Clock; readonly fresh: FreshFiles },
): DeskFiles {
  const mirror = openMirror<Tally>(log, id, { empty: emptyTally, add: () => {} });
  const opened = onceGiven((records: Recorded<Tally>) =>
    openSessionFile(id.name, sessionPlaces(area, id.name), { records, fresh, clock }),
  );
  return {
    look: () => mirror.at((records) => ({ found: opened(records).look(), warnings: [] })),
    publish: () => mirror.at((records) => opened(records).publish()),
    audit: () => mirror.at((records) => auditSessionFile(area, id.name, records)),
    close() {},
  };
}

/** Opens something with the records when they are first at hand. */
function onceGiven<R, T>(open: (records: R) => T): ((records: R) => T) & { known(): T | undefined } {
  let known: T | undefined;
  const given = (records: R): T => {
    known ??= open(records);
    return known;
  };
  return Object.assign(given, { known: () => known });
}
