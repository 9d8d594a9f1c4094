import { randomUUID } from "node:crypto";
import { basename, join } from "node:path";
import type { OnFault, StoredRecord } from "../../engine/ports.ts";
import type { Desk } from "../../workflow/desk.ts";
import type { Event } from "../../workflow/events.ts";
import { replay, replayer } from "../../workflow/replay.ts";
import { counts } from "../chain/chain.ts";
import { type JournalRecord, type Line, toLine } from "../chain/record.ts";
import { conflictOf, decideAnew, type Held } from "./backlog.ts";
import { believesIn } from "./belief/believing.ts";
import { type Judgement, openJudgement } from "./belief/judgement.ts";
import type { Seen } from "./belief/seen.ts";
import type { Checkpoints } from "./checkpoint.ts";
import { openJournal } from "./journal.ts";
import { type Bookkeeping, enter, type Tally } from "./ledger.ts";
import type { OnRead } from "./lines.ts";
import { openMender } from "./mend.ts";
import { type OtherSides, openOtherSides } from "./other-sides.ts";
import { ownFolder } from "./places.ts";
import { openRollback } from "./rollback.ts";
import { openStored } from "./stored.ts";

/** The records of one desk: those in the journal, and those held in memory until the journal can take them. */
export type Records<L extends Tally> = {
  /** Reads what others recorded meanwhile. */
  catchUp(): void;
  /** Reads what others recorded, then writes what is held, in order; false where the journal cannot be read or relied on now. */
  settle(): boolean;
  /** Says, once, which held records could no longer count, and what of the journal is damaged. */
  takeLosses(): readonly string[];
  /** Records one transition. `failed`, only where nothing is held: not recorded, and whatever of it reached the disk is made sure of before anything is answered from it. */
  append(seen: number, events: readonly Event[], how: Recording): "recorded" | "behind" | "held" | "failed";
  /** The same where nothing is held, with work done as soon as the record counts, while it is made to last. One at a time. */
  appendMeanwhile(seen: number, events: readonly Event[], work: () => void): Promise<"recorded" | "behind" | "failed">;
  /** What the journal adds up to. */
  ledger(): L;
  /** How many records count, held ones among them. */
  seen(): number;
  /** The desk, held records included. */
  desk(): Desk;
  heldCount(): number;
  /** The state file that the last held record answers, where it was not ours. */
  heldSaw(): string | undefined;
  /** The records numbered after `from`, held ones included. */
  stored(from: number): AsyncIterable<StoredRecord>;
  /** Adds the whole history up anew, held records included; `each` sees the ledger after every record. */
  recount(each?: (ledger: L) => void): L;
  /** What was found of the history and is to be said until a person accepts it. */
  readonly judgement: Judgement;
  /** Remembers outside the project how far the history has come. */
  remember(): void;
  /** What stands beside the records that count. */
  readonly otherSides: OtherSides<L>;
  /** Saves what the journal adds up to, where much has been added since the last time. */
  save(): void;
  close(): void;
};

/** What a view needs of the records that it shows, whatever holds them. */
export type Recorded<L extends Tally> = Pick<Records<L>, "ledger" | "seen" | "heldSaw" | "catchUp"> & {
  recount(each: (ledger: L) => void): void;
  readonly otherSides: Pick<OtherSides<L>, "recount">;
};

/** Where a journal stands, the folder above it that is known to last, and whose history it is. */
export type JournalPlace = { readonly journal: string; readonly area: string; readonly name?: string };

/** What was saved of a history, what this machine remembers of it, and who hears how far the reading has come. */
type RecordsParts<L> = {
  readonly checkpoints?: Checkpoints<L>;
  readonly memory?: Seen | undefined;
  readonly onRead?: OnRead | undefined;
};

/** What becomes of a record that cannot be written, and the view that it answers, where that was not ours. */
export type Recording = { readonly onFault: OnFault; readonly saw?: string | undefined };

/** Opens the records of one journal; nothing is created before the first append. */
export function openRecords<L extends Tally>(
  place: JournalPlace,
  kind: Bookkeeping<L>,
  { checkpoints, memory, onRead }: RecordsParts<L> = {},
): Records<L> {
  let ledger = kind.empty();
  let held: readonly Held[] = [];
  let losses: readonly string[] = [];
  let news: Event[] = [];
  /** The line that is being written. */
  let written: Line | undefined;
  let savedBytes = 0;
  let isClear = true;
  const kept = join(ownFolder(place.area), "kept");
  const rollback = openRollback(place.journal, place.name ?? basename(place.journal), kept, memory);
  const judgement = openJudgement(memory);
  const journal = openJournal(place.journal, place.area, {
    onRead,
    line: (bytes, offset) =>
      enter(kind, ledger, { bytes, offset, written }, ({ events, seq }, head) => {
        rollback.reach({ seq, head });
        for (const event of events) news.push(event);
        if (news.length >= 256) addUp(); // what is read should not pile up
      }),
    beganAnew(before) {
      rollback.begin(ledger.chain, before);
      ledger = kind.empty();
      news = [];
      savedBytes = 0;
    },
    resume(fd, size) {
      const restored = checkpoints?.restore({ fd, size }, ledgerAt) ?? {};
      if (!("ledger" in restored)) {
        if (restored.doubt !== undefined) disbelieve(unbelieved(restored.doubt));
        return 0;
      }
      if (!rollback.resume(restored.ledger.chain)) return 0;
      ({ ledger, bytes: savedBytes } = restored);
      return savedBytes;
    },
  });

  const stored = openStored(journal);
  const otherSides = openOtherSides(journal, kind, () => ledger.chain, believesIn(memory));

  function disbelieve(text: string): void {
    checkpoints?.putAside();
    judgement.doubt(text);
  }

  function ledgerAt(seq: number): L {
    const anew = kind.empty();
    journal.scan((bytes, offset) => {
      if (anew.chain.seq < seq) enter(kind, anew, { bytes, offset }, () => {});
    });
    return anew;
  }

  /** Adds up, once for all, what has been read. */
  function addUp(): void {
    if (news.length > 0) ledger.desk = replay(news, ledger.desk);
    news = [];
  }

  function catchUp(): boolean {
    const isRead = journal.catchUp();
    addUp();
    return isRead;
  }

  function makeSure(): boolean {
    const isSure = journal.makeSure();
    addUp();
    return isSure;
  }

  const mender = openMender({
    journal,
    file: place.journal,
    kept,
    chain: () => ledger.chain,
    catchUp,
  });

  const isCounted = ({ record }: Line): boolean => counts(ledger.chain, record.op);
  /** Held records that no reader has seen. One whose sync failed may be seen, and is still held. */
  const unseen = (): readonly Held[] => held.filter(({ line }) => !isCounted(line));
  const seen = (): number => ledger.chain.seq + unseen().length;
  const desk = (): Desk => {
    const events = unseen().flatMap(({ line }) => line.record.events);
    return events.length === 0 ? ledger.desk : replay(events, ledger.desk);
  };

  function write(line: Line): "recorded" | "behind" | "held" {
    written = line;
    for (let tries = 0; tries < 3; tries++) {
      if (!journal.write(line.text) || !catchUp()) return "held";
      if (isCounted(line)) return "recorded";
      if (ledger.chain.head !== line.record.prev) return "behind";
      // Neither ours nor another's: it was glued to a line that somebody tore off just then.
    }
    return "held";
  }

  function settle(): boolean {
    isClear = journal.isClear();
    return settleAsSeen();
  }

  /** The same for who has just looked. */
  function settleAsSeen(): boolean {
    if (!isClear || !catchUp() || !makeSure()) return false;
    judgement.lose(rollback.look(ledger.chain));
    losses = [...losses, ...mender.look()];
    while (held.length > 0) {
      const [first, ...rest] = held;
      if (first === undefined || isCounted(first.line)) {
        held = rest;
        continue;
      }
      const isNext = first.line.record.prev === ledger.chain.head;
      const fitting = isNext ? first : decideAnew(first, ledger.desk, ledger.chain);
      if (fitting === undefined) {
        losses = [...losses, conflictOf(unseen())];
        held = [];
        return true;
      }
      held = [fitting, ...rest];
      if (write(fitting.line) === "held") return true;
    }
    return true;
  }

  /** Where and when the next record is written; the first one says whose history it begins. */
  function writing(seq: number, canBeWritten: boolean): Pick<JournalRecord, "seq" | "of" | "copy" | "at"> {
    const copy = canBeWritten ? journal.copy() : undefined;
    const of = seq === 1 ? place.name : undefined;
    return {
      seq,
      ...(of === undefined ? {} : { of }),
      ...(copy === undefined ? {} : { copy }),
      at: new Date().toISOString(),
    };
  }

  /** What is held, as it would follow the head as it is now. */
  function heldLines(): readonly Line[] {
    let { head, seq } = ledger.chain;
    return unseen().map(({ line }) => {
      const next = toLine({ ...line.record, seq: seq + 1, prev: head });
      [head, seq] = [next.hash, seq + 1];
      return next;
    });
  }

  return {
    catchUp: () => void catchUp(),
    settle,
    takeLosses() {
      const taken = losses;
      losses = [];
      return taken;
    },
    append(expected, events, { onFault, saw }) {
      const isReliable = settleAsSeen();
      if (!isReliable && onFault === "refuse") return "failed";
      if (expected !== seen()) return "behind";
      if (events.length === 0) return "recorded";
      const prev = unseen().at(-1)?.line.hash ?? ledger.chain.head;
      const answered = saw === undefined ? {} : { saw };
      const line = toLine({ ...writing(expected + 1, isReliable), prev, op: randomUUID(), ...answered, events });
      const status = isReliable && held.length === 0 ? write(line) : "held";
      if (status !== "held") return status;
      if (onFault === "refuse") return "failed";
      held = [...held, { line, basis: desk() }];
      return status;
    },
    async appendMeanwhile(expected, events, work) {
      if (!settleAsSeen()) return "failed";
      if (expected !== seen()) return "behind";
      if (events.length === 0) return "recorded";
      const line = toLine({ ...writing(expected + 1, true), prev: ledger.chain.head, op: randomUUID(), events });
      written = line;
      const isSure = await journal.writeMeanwhile(line.text, () => {
        if (catchUp() && isCounted(line)) work();
      });
      if (!isCounted(line) && ledger.chain.head !== line.record.prev) return "behind";
      if (!isSure) return "failed";
      if (isCounted(line)) return "recorded";
      const status = write(line); // it was glued to a line that somebody tore off just then
      if (status === "recorded") work();
      return status === "held" ? "failed" : status;
    },
    ledger: () => ledger,
    seen,
    desk,
    heldCount: () => held.length,
    heldSaw: () => held.at(-1)?.line.record.saw,
    stored: (from) => stored(from, heldLines()),
    recount(each) {
      const anew = kind.empty();
      const add = replayer(anew.desk);
      const all: Event[] = [];
      const read = (bytes: Buffer, offset: number): void =>
        enter(kind, anew, { bytes, offset }, ({ events }) => {
          if (each === undefined) return void all.push(...events);
          anew.desk = add(events);
          each(anew);
        });
      journal.scan(read);
      for (const { text } of heldLines()) read(Buffer.from(text), -1);
      anew.desk = add(all);
      return anew;
    },
    otherSides,
    judgement,
    remember: () => judgement.remember(ledger.chain),
    save() {
      const { fd, offset } = journal.progress() ?? { fd: 0, offset: 0 };
      const { waiting, unreadable } = ledger.chain;
      const isWhole = held.length === 0 && waiting.size + unreadable.length === 0;
      if (checkpoints === undefined || !isWhole || offset - savedBytes < Math.max(worthSaving, offset / 10)) return;
      savedBytes = offset;
      checkpoints.save(fd, { ledger, bytes: offset });
    },
    close: journal.close,
  };
}

function unbelieved(doubt: string): string {
  return `${doubt}. It is not believed: the history was read from its first record.`;
}

/** So many bytes of a journal are read in no time. */
const worthSaving = 1 << 18;
