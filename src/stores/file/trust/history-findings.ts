import type { Event } from "../../../workflow/events.ts";
import type { LostRecords } from "../detect-rollback.ts";
import type { Head, SeenHistory } from "./seen-history.ts";

/** The findings about one history, reported and remembered until a person accepts them. */
export type HistoryFindings = {
  /** Notes that records are missing. */
  noteLoss(lost: LostRecords | undefined): void;
  /** Notes that something beside the history is not trusted. */
  noteDoubt(text: string): void;
  /** Tells if a loss has not been judged yet. */
  isLost(): boolean;
  /** Tells if a record changed and no person accepted it: its views are then left alone. */
  isChanged(): boolean;
  /** Reports, once, what was found now or before; a loss that matches an earlier head counts as another branch's if git has the history so. */
  judge(isInGit: boolean): readonly string[];
  /** Hears recorded events: an acceptance clears all findings. */
  noteEvents(recorded: readonly Event[]): void;
  /** Stores the head of the history outside the project. */
  remember(end: Head): void;
};

/** Judges one history by what this machine remembers; without a memory, findings are reported once. */
export function openFindings(seen: SeenHistory | undefined): HistoryFindings {
  const told = new Set<string>();
  let lost: LostRecords | undefined;
  let unremembered: readonly string[] = [];

  function find(text: string, changed?: true): void {
    told.delete(text);
    if (seen === undefined) unremembered = [...unremembered, text];
    else seen.dispute({ at: new Date().toISOString(), text, ...(changed ? { changed } : {}) });
  }

  return {
    noteLoss(found) {
      lost = found ?? lost;
    },
    noteDoubt: (text) => find(text),
    isLost: () => lost !== undefined,
    isChanged: () => lost?.changed === true || (seen?.disputes() ?? []).some(({ changed }) => changed),
    judge(isInGit) {
      const found = lost;
      lost = undefined;
      const branch = isInGit ? found?.branch : undefined;
      if (found !== undefined && branch === undefined) find(found.text, found.changed);
      const texts = [...unremembered, ...(seen?.disputes() ?? []).map(({ text }) => text)];
      const fresh = texts.filter((text) => !told.has(text));
      for (const text of fresh) told.add(text);
      unremembered = [];
      const said = fresh.map((text) => `${text} ${toAccept}`);
      return branch === undefined ? said : [...said, branch];
    },
    noteEvents(recorded) {
      for (const event of recorded) if (event.type === "accepted") seen?.accept(event.at, event.hashes);
    },
    remember(end) {
      if (lost === undefined) seen?.keep(end);
    },
  };
}

const toAccept = "To accept it, run waymark verify --accept.";
