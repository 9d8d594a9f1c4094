import type { Event } from "../../../workflow/events.ts";
import type { Lost } from "../rollback.ts";
import type { Head, Seen } from "./seen.ts";

/** What is found of one history, said and remembered until a person accepts it. */
export type Judgement = {
  /** Something of the history is not there any more. */
  lose(lost: Lost | undefined): void;
  /** Something that is kept beside the history is not believed. */
  doubt(text: string): void;
  /** Whether something is lost that has not been judged yet. */
  isLost(): boolean;
  /** Whether a record is not what it was, and no person has accepted that: what shows the history is left as it stands. */
  isChanged(): boolean;
  /** Says, once, what was found now or before. What is lost, and was seen to end so before, is another branch's where git has the history so. */
  judge(isInGit: boolean): readonly string[];
  /** What was recorded just now: where a person has accepted the history, nothing speaks against it any more. */
  hear(recorded: readonly Event[]): void;
  /** Remembers outside the project how far the history has come. */
  remember(end: Head): void;
};

/** Judges one history by what this machine remembers of it; where it remembers nothing, what is found is said once. */
export function openJudgement(seen: Seen | undefined): Judgement {
  const told = new Set<string>();
  let lost: Lost | undefined;
  let unremembered: readonly string[] = [];

  function find(text: string, changed?: true): void {
    told.delete(text);
    if (seen === undefined) unremembered = [...unremembered, text];
    else seen.dispute({ at: new Date().toISOString(), text, ...(changed ? { changed } : {}) });
  }

  return {
    lose(found) {
      lost = found ?? lost;
    },
    doubt: (text) => find(text),
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
    hear(recorded) {
      for (const event of recorded) if (event.type === "accepted") seen?.accept(event.at, event.hashes);
    },
    remember(end) {
      if (lost === undefined) seen?.keep(end);
    },
  };
}

const toAccept = "A person can accept it: waymark verify --accept.";
