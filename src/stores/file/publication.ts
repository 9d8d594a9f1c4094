import { deferWork } from "../../kit/deferred-work.ts";
import { unloggedText, unsavedText } from "../../messages/fixed-texts.ts";
import type { BotTotals } from "./journal-totals.ts";
import type { LogFile } from "./log-file.ts";
import type { ViewRecords } from "./records.ts";
import type { StateFile } from "./state-file.ts";
import type { HistoryFindings } from "./trust/history-findings.ts";

/** Publishes the two files of a stream; its functions return warnings. */
export type Publication = {
  publish(): readonly string[];
  /** Publishes, and removes a state file that should not exist. */
  repair(): readonly string[];
  /** Publishes before a reply; files of megabytes follow it. */
  publishInTime(): readonly string[];
  /** Publishes the state file now if it was to follow a reply. */
  settle(): readonly string[];
  /** Tells if a publication is due, after a crash or a failure. */
  isDue(): boolean;
  /** Removes the copies that speed up publishing, to free disk space. */
  freeCopies(): void;
  close(): void;
};

type PublicationDeps = {
  readonly records: ViewRecords<BotTotals>;
  readonly judgement: Pick<HistoryFindings, "isChanged">;
  readonly state: StateFile;
  readonly log: LogFile;
  /** Names what occupies our paths. */
  unsafePath(): readonly string[];
};

/** Opens the publication of a stream. */
export function openPublication({ records, judgement, state, log, unsafePath }: PublicationDeps): Publication {
  /** Warnings of work that followed its reply. */
  let unsaid: readonly string[] = [];
  const stateSoon = deferWork(() => tell(publishing(putState)));
  const logSoon = deferWork(() => tell(publishing(putLog)), betweenLogs);

  const putState = (): readonly string[] => (state.publish() ? [] : [unsavedText]);
  const putLog = (): readonly string[] => (log.publish() ? [] : [unloggedText]);

  function tell(said: readonly string[]): void {
    unsaid = [...new Set([...unsaid, ...said])];
  }

  /** Publishes until nothing was recorded in between, so that a slow window leaves no older file. Ends, since it appends nothing. */
  function publishing(put: () => readonly string[]): readonly string[] {
    if (judgement.isChanged()) return []; // do not overwrite what shows the record as it was
    for (;;) {
      const before = records.ledger().chain.head;
      let failures = put();
      if (failures.length > 0) {
        giveBack();
        failures = put();
      }
      records.catchUp();
      if (records.ledger().chain.head === before)
        return [...failures, ...(failures.length === 0 ? [] : unsafePath()), ...log.takeNotices()];
    }
  }

  function giveBack(): void {
    for (const file of [state, log]) file.close();
  }

  const publish = (): readonly string[] => publishing(() => [...putState(), ...putLog()]);
  const isOwed = (): boolean => log.isOwed() || state.isOwed();

  return {
    publish,
    repair: () => publishing(() => [...(state.repair() ? [] : [unsavedText]), ...putLog()]),
    publishInTime() {
      // What failed after a reply is written now, so that this caller gets the warning.
      if (records.ledger().log.size() < long || isOwed()) return publish();
      stateSoon.schedule();
      logSoon.schedule();
      return [];
    },
    settle() {
      stateSoon.settle();
      const said = unsaid;
      unsaid = [];
      return said;
    },
    isDue: isOwed,
    freeCopies: giveBack,
    close() {
      for (const later of [stateSoon, logSoon]) later.settle();
      giveBack();
    },
  };
}

/** The log size in bytes of a long history: some thousand records. */
const long = 1 << 20;

/** The minimum time in milliseconds between two logs of a long history, each written whole. */
const betweenLogs = 1000;
