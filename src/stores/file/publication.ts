import { unloggedText, unsavedText } from "../../words/texts.ts";
import type { Judgement } from "./belief/judgement.ts";
import type { Ledger } from "./ledger.ts";
import type { LogFile } from "./log-file.ts";
import type { Recorded } from "./records.ts";
import { soon } from "./soon.ts";
import type { StateFile } from "./state-file.ts";

/** Keeps the two files of a desk as its history is. What is answered is to be said. */
export type Publication = {
  publish(): readonly string[];
  /** The same, and removes a state file that should not be there. */
  repair(): readonly string[];
  /** The same as `publish` for who is about to answer: nobody waits for files of megabytes, which follow the answer. */
  publishInTime(): readonly string[];
  /** Does now what was to follow an answer and what somebody looks at next: the state file. */
  settle(): readonly string[];
  /** Whether a publication is due that a crash cut off, or that failed. */
  isOwed(): boolean;
  /** Removes the copies that make publishing quick: the disk may be full of them. */
  giveBack(): void;
  close(): void;
};

type Parts = {
  readonly records: Recorded<Ledger>;
  readonly judgement: Pick<Judgement, "isChanged">;
  readonly state: StateFile;
  readonly log: LogFile;
  /** Names what stands where only our own files may. */
  inTheWay(): readonly string[];
};

/** Opens what publishes a desk. */
export function openPublication({ records, judgement, state, log, inTheWay }: Parts): Publication {
  /** What is to be said of what came after its answer. */
  let unsaid: readonly string[] = [];
  const stateSoon = soon(() => tell(publishing(putState)));
  const logSoon = soon(() => tell(publishing(putLog)), betweenLogs);

  const putState = (): readonly string[] => (state.publish() ? [] : [unsavedText]);
  const putLog = (): readonly string[] => (log.publish() ? [] : [unloggedText]);

  function tell(said: readonly string[]): void {
    unsaid = [...new Set([...unsaid, ...said])];
  }

  /**
   * Publishes until nobody has recorded anything in between, so that a slow window leaves no older file behind.
   * It ends: whoever is in here appends nothing.
   */
  function publishing(put: () => readonly string[]): readonly string[] {
    if (judgement.isChanged()) return []; // what shows the record as it was is not written over
    for (;;) {
      const before = records.ledger().chain.head;
      let failures = put();
      if (failures.length > 0) {
        giveBack();
        failures = put();
      }
      records.catchUp();
      if (records.ledger().chain.head === before)
        return [...failures, ...(failures.length === 0 ? [] : inTheWay()), ...log.takeNotices()];
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
      // What could not be written after an answer is written while somebody waits, who is told.
      if (records.ledger().log.size() < long || isOwed()) return publish();
      stateSoon.ask();
      logSoon.ask();
      return [];
    },
    settle() {
      stateSoon.settle();
      const said = unsaid;
      unsaid = [];
      return said;
    },
    isOwed,
    giveBack,
    close() {
      for (const later of [stateSoon, logSoon]) later.settle();
      giveBack();
    },
  };
}

/** With a log of so many bytes a history is long: some thousand records. */
const long = 1 << 20;

/** So many milliseconds lie between two logs of a long history: each is written whole where the next follows soon. */
const betweenLogs = 1000;
