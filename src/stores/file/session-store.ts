import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { SessionHistory, SessionStore } from "../../engine/phased-ports.ts";
import { unsavedText } from "../../workflow/refusals.ts";
import { sweepTemps } from "./disk.ts";
import { faultCode } from "./faults.ts";
import { type FreshFiles, freshFiles } from "./fresh-files.ts";
import { emptyTally, type Tally } from "./ledger.ts";
import { decodeName, encodeName, ownFolder } from "./places.ts";
import { openRecords } from "./records.ts";
import { openSessionFile, type ReadyFile } from "./session-file.ts";

/** The sessions of a project area in files: a journal for each, and a file that shows it. */
export function fileSessions(area: string): SessionStore & { close(): void } {
  const own = ownFolder(area);
  const journals = join(own, "journal", "sessions");
  const shown = join(own, "sessions");
  const journalOf = (id: string): string => join(journals, `${encodeName(id)}.jsonl`);
  /** A journal without a byte is one that somebody is about to begin, or could not. */
  const isBegun = (id: string): boolean => (statSync(journalOf(id), { throwIfNoEntry: false })?.size ?? 0) > 0;
  const tmp = join(own, "tmp");
  const fresh = freshFiles(tmp);
  let isSwept = false;
  return {
    async ids() {
      // A file that shows a session whose journal is gone stands for it: its id is not given away again.
      const ids = [...namesIn(journals, ".jsonl").filter(isBegun), ...namesIn(shown, ".json")];
      return [...new Set(ids)].sort();
    },
    has: async (id) => isBegun(id),
    close: fresh.close,
    open(id) {
      if (!isSwept) sweepTemps(tmp);
      isSwept = true;
      const file = join(shown, `${encodeName(id)}.json`);
      return openSession(id, { journal: journalOf(id), area }, { file, kept: join(own, "kept") }, fresh);
    },
  };
}

function openSession(
  id: string,
  place: { readonly journal: string; readonly area: string },
  view: { readonly file: string; readonly kept: string },
  fresh: FreshFiles,
): SessionHistory {
  // A phase whose completion cannot be recorded is not completed: nothing is held for later.
  const records = openRecords<Tally>(place, { empty: emptyTally, add: () => {} }, () => "refuse");
  const shown = openSessionFile(id, view, fresh, records);
  // One thing at a time: while a record is made to last, nothing else is asked of the journal.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => T | Promise<T>): Promise<T> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
  return {
    look: () =>
      inTurn(() => {
        const isReliable = records.settle();
        const warnings = [...records.takeLosses(), ...(isReliable ? [] : [unsavedText])];
        return { seen: records.seen(), desk: records.desk(), warnings: [...warnings, ...shown.putRight()] };
      }),
    append: (seen, events) =>
      inTurn(async () => {
        let ready: ReadyFile | undefined;
        const status = await records.appendMeanwhile(seen, events, () => {
          ready = shown.makeReady();
        });
        if (status === "recorded") return { status, warnings: ready?.show() ?? [] };
        ready?.discard();
        return { status, warnings: status === "failed" ? [unsavedText] : [] };
      }),
    events: () =>
      inTurn(() => {
        records.settle();
        return records.events();
      }),
  };
}

function namesIn(folder: string, ending: string): readonly string[] {
  try {
    return readdirSync(folder).flatMap((name) =>
      name.endsWith(ending) ? (decodeName(name.slice(0, -ending.length)) ?? []) : [],
    );
  } catch (error) {
    if (faultCode(error) === "ENOENT" || faultCode(error) === "ENOTDIR") return [];
    throw error;
  }
}
