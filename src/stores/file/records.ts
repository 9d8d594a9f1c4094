import { randomUUID } from "node:crypto";
import { basename, join } from "node:path";
import type { OnWriteFailure, StoredRecord } from "../../engine/ports/event-log.ts";
import { defined } from "../../kit/defined.ts";
import type { Event } from "../../workflow/events.ts";
import { replay, replayer } from "../../workflow/replay.ts";
import type { StreamSnapshot } from "../../workflow/stream-snapshot.ts";
import { isCountedOp } from "../chain/journal-chain.ts";
import { type JournalLine, type JournalRecord, timeOfWrite, toLine } from "../chain/journal-record.ts";
import type { Checkpoints } from "./checkpoint.ts";
import { openDamageReport } from "./damage-report.ts";
import { openRollbackDetector } from "./detect-rollback.ts";
import { type Forks, openForks } from "./forks.ts";
import { conflictMessage, type HeldRecord, rebaseHeld } from "./held-records.ts";
import { openJournal } from "./journal.ts";
import { addLine, type JournalTotals, type TotalsReducer } from "./journal-totals.ts";
import type { OnRead } from "./read-lines.ts";
import { openStoredRecords } from "./stored-records.ts";
import { engineFolder } from "./stream-paths.ts";
import { type HistoryFindings, openFindings } from "./trust/history-findings.ts";
import type { SeenHistory } from "./trust/seen-history.ts";
import { trustsIn } from "./trust/trust-basis.ts";

/** The records of one stream: in the journal, or held in memory until it accepts them. */
export type Records<L extends JournalTotals> = {
  /** Reads what others recorded. */
  catchUp(): void;
  /** Reads what others recorded, then writes held records in order; false if the journal is unusable now. */
  settle(): boolean;
  /** Reports, once, which held records could no longer count, and damage in the journal. */
  takeLosses(): readonly string[];
  /** Records one transition. "failed" only if nothing is held: not recorded, and any part on disk is settled before the next reply. */
  append(seen: number, events: readonly Event[], how: RecordOptions): "recorded" | "behind" | "held" | "failed";
  /** The journal's totals. */
  ledger(): L;
  /** The number of records that count, including held ones. */
  seen(): number;
  /** The state of the stream, including held records. */
  stream(): StreamSnapshot;
  heldCount(): number;
  /** The foreign state file that the last held record answers. */
  heldAnswer(): string | undefined;
  /** The records after `from`, including held ones. */
  stored(from: number): AsyncIterable<StoredRecord>;
  /** Recomputes the whole history, including held records; `each` sees the totals after every record. */
  recount(each?: (ledger: L) => void): L;
  /** The findings about the history, until a person accepts them. */
  readonly judgement: HistoryFindings;
  /** Remembers the head outside the project. */
  remember(): void;
  /** The forks beside the records that count. */
  readonly otherSides: Forks<L>;
  /** Saves a checkpoint if much was added since the last one. */
  save(): void;
  close(): void;
};

/** The part of the records that a view needs, in any store. */
export type ViewRecords<L extends JournalTotals> = Pick<Records<L>, "ledger" | "seen" | "heldAnswer" | "catchUp"> & {
  recount(each: (ledger: L) => void): void;
  readonly otherSides: Pick<Forks<L>, "recount">;
};

/** The journal's path, its durable ancestor, and the stream's name. */
export type JournalLocation = { readonly journal: string; readonly area: string; readonly name?: string };

/** The checkpoints, this machine's memory, and the progress callback. */
type RecordsParts<L> = {
  readonly checkpoints?: Checkpoints<L>;
  readonly memory?: SeenHistory | undefined;
  readonly onRead?: OnRead | undefined;
};

/** The handling of a record that cannot be written, and the foreign view it answers. */
export type RecordOptions = { readonly onFault: OnWriteFailure; readonly saw?: string | undefined };

/** Opens the records of one journal; creates nothing before the first append. */
export function openRecords<L extends JournalTotals>(
  place: JournalLocation,
  kind: TotalsReducer<L>,
  { checkpoints, memory, onRead }: RecordsParts<L> = {},
): Records<L> {
  let ledger = kind.empty();
  let held: readonly HeldRecord[] = [];
  let losses: readonly string[] = [];
  let news: Event[] = [];
  /** The line being written. */
  let written: JournalLine | undefined;
  let savedBytes = 0;
  let isClear = true;
  const kept = join(engineFolder(place.area), "kept");
  const rollback = openRollbackDetector(place.journal, place.name ?? basename(place.journal), kept, memory);
  const judgement = openFindings(memory);
  const journal = openJournal(place.journal, place.area, {
    onRead,
    line: (bytes, offset) =>
      addLine(kind, ledger, { bytes, offset, written }, ({ events, seq }, head) => {
        rollback.reach({ seq, head });
        for (const event of events) news.push(event);
        if (news.length >= 256) addUp(); // do not accumulate what was read
      }),
    beganAgain(before) {
      rollback.begin(ledger.chain, before);
      ledger = kind.empty();
      news = [];
      savedBytes = 0;
    },
    resume(fd, size) {
      const restored = checkpoints?.restore({ fd, size }, ledgerAt) ?? {};
      if (!("ledger" in restored)) {
        if (restored.doubt !== undefined) disbelieve(untrustedMessage(restored.doubt));
        return 0;
      }
      if (!rollback.resume(restored.ledger.chain)) return 0;
      ({ ledger, bytes: savedBytes } = restored);
      return savedBytes;
    },
  });

  const stored = openStoredRecords(journal);
  const otherSides = openForks(journal, kind, () => ledger.chain, trustsIn(memory));

  function disbelieve(text: string): void {
    checkpoints?.moveAside();
    judgement.noteDoubt(text);
  }

  function ledgerAt(seq: number): L {
    const again = kind.empty();
    journal.scan((bytes, offset) => {
      if (again.chain.seq < seq) addLine(kind, again, { bytes, offset }, () => {});
    });
    return again;
  }

  /** Adds up what was read. */
  function addUp(): void {
    if (news.length > 0) ledger.stream = replay(news, ledger.stream);
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

  const mender = openDamageReport({
    journal,
    file: place.journal,
    kept,
    chain: () => ledger.chain,
    catchUp,
  });

  const isCounted = ({ record }: JournalLine): boolean => isCountedOp(ledger.chain, record.op);
  /** Held records that no reader has seen; one whose sync failed may be seen and still held. */
  const unseen = (): readonly HeldRecord[] => held.filter(({ line }) => !isCounted(line));
  const seen = (): number => ledger.chain.seq + unseen().length;
  const stream = (): StreamSnapshot => {
    const events = unseen().flatMap(({ line }) => line.record.events);
    return events.length === 0 ? ledger.stream : replay(events, ledger.stream);
  };

  function write(line: JournalLine): "recorded" | "behind" | "held" {
    written = line;
    for (let tries = 0; tries < 3; tries++) {
      if (!journal.write(line.text) || !catchUp()) return "held";
      if (isCounted(line)) return "recorded";
      if (ledger.chain.head !== line.record.prev) return "behind";
      // Neither ours nor another's: it was appended to a torn line.
    }
    return "held";
  }

  function settle(): boolean {
    isClear = journal.isClear();
    return settleAsSeen();
  }

  /** The same, right after reading. */
  function settleAsSeen(): boolean {
    if (!isClear || !catchUp() || !makeSure()) return false;
    judgement.noteLoss(rollback.look(ledger.chain));
    losses = [...losses, ...mender.look()];
    while (held.length > 0) {
      const [first, ...rest] = held;
      if (first === undefined || isCounted(first.line)) {
        held = rest;
        continue;
      }
      const isNext = first.line.record.prev === ledger.chain.head;
      const fitting = isNext ? first : rebaseHeld(first, ledger.stream, ledger.chain);
      if (fitting === undefined) {
        losses = [...losses, conflictMessage(unseen())];
        held = [];
        return true;
      }
      held = [fitting, ...rest];
      if (write(fitting.line) === "held") return true;
    }
    return true;
  }

  /** The copy of the next record; the first one also names its stream. */
  function writing(seq: number, canBeWritten: boolean): Pick<JournalRecord, "seq" | "of" | "copy"> {
    const copy = canBeWritten ? journal.copy() : undefined;
    const of = seq === 1 ? place.name : undefined;
    return {
      seq,
      ...defined({ of, copy }),
    };
  }

  /** The held records as they would follow the current head. */
  function heldLines(): readonly JournalLine[] {
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
      const answered = defined({ saw });
      const line = toLine({
        ...writing(expected + 1, isReliable),
        prev,
        op: randomUUID(),
        ...answered,
        ...timeOfWrite(events),
        events,
      });
      const status = isReliable && held.length === 0 ? write(line) : "held";
      if (status !== "held") return status;
      if (onFault === "refuse") return "failed";
      held = [...held, { line, basis: stream() }];
      return status;
    },
    ledger: () => ledger,
    seen,
    stream,
    heldCount: () => held.length,
    heldAnswer: () => held.at(-1)?.line.record.saw,
    stored: (from) => stored(from, heldLines()),
    recount(each) {
      const again = kind.empty();
      const add = replayer(again.stream);
      const all: Event[] = [];
      const read = (bytes: Buffer, offset: number): void =>
        addLine(kind, again, { bytes, offset }, ({ events }) => {
          if (each === undefined) return void all.push(...events);
          again.stream = add(events);
          each(again);
        });
      journal.scan(read);
      for (const { text } of heldLines()) read(Buffer.from(text), -1);
      again.stream = add(all);
      return again;
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

function untrustedMessage(doubt: string): string {
  return `${doubt}. Waymark ignored it and read the history from its first record.`;
}

/** Fewer journal bytes than this are read in no time. */
const worthSaving = 1 << 18;
