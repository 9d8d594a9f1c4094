import { existsSync, readdirSync } from "node:fs";
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
export function fileSessions(area: string): SessionStore {
  const own = ownFolder(area);
  const journals = join(own, "journal", "sessions");
  const journalOf = (id: string): string => join(journals, `${encodeName(id)}${ending}`);
  const tmp = join(own, "tmp");
  const fresh = freshFiles(tmp);
  let isSwept = false;
  return {
    async ids() {
      return names(journals).flatMap((name) => {
        const id = name.endsWith(ending) ? decodeName(name.slice(0, -ending.length)) : undefined;
        return id === undefined ? [] : [id];
      });
    },
    has: async (id) => existsSync(journalOf(id)),
    open(id) {
      if (!isSwept) sweepTemps(tmp);
      isSwept = true;
      const file = join(own, "sessions", `${encodeName(id)}.json`);
      return openSession(id, { journal: journalOf(id), area }, file, fresh);
    },
  };
}

const ending = ".jsonl";

function openSession(
  id: string,
  place: { readonly journal: string; readonly area: string },
  file: string,
  fresh: FreshFiles,
): SessionHistory {
  // A phase whose completion cannot be recorded is not completed: nothing is held for later.
  const records = openRecords<Tally>(place, { empty: emptyTally, add: () => {} }, () => "refuse");
  const view = openSessionFile(id, file, fresh, records);
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
        return { seen: records.seen(), desk: records.desk(), warnings: [...warnings, ...view.putRight()] };
      }),
    append: (seen, events) =>
      inTurn(async () => {
        let ready: ReadyFile | undefined;
        const status = await records.appendMeanwhile(seen, events, () => {
          ready = view.makeReady();
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

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (faultCode(error) === "ENOENT" || faultCode(error) === "ENOTDIR") return [];
    throw error;
  }
}
