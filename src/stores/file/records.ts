import { randomUUID } from "node:crypto";
import { type Desk, replay } from "../../workflow/desk.ts";
import type { Event } from "../../workflow/events.ts";
import { emptyChain, extend } from "./chain.ts";
import { openJournal } from "./journal.ts";
import { emptyLedger, enter, type Ledger } from "./ledger.ts";
import type { Places } from "./places.ts";
import { type Line, toLine } from "./record.ts";

/** The records of one desk: those in the journal, and those held in memory until the journal can take them. */
export type Records = {
  /** Reads what others recorded meanwhile. */
  catchUp(): void;
  /** Reads what others recorded, then writes what is held, in order; false where the journal cannot be read now. */
  settle(): boolean;
  /** Says, once, which held records could no longer count. */
  takeLosses(): readonly string[];
  append(seen: number, events: readonly Event[], saw: string | undefined): "recorded" | "behind" | "held";
  /** What the journal adds up to. */
  ledger(): Ledger;
  /** How many records count, held ones among them. */
  seen(): number;
  /** The desk, held records included. */
  desk(): Desk;
  heldCount(): number;
  /** The state file that the last held record answers, where it was not ours. */
  heldSaw(): string | undefined;
  /** Every event, held ones included. */
  events(): readonly Event[];
  /** Adds the whole history up anew, held records included; `each` sees the ledger after every record. */
  recount(each?: (ledger: Ledger) => void): Ledger;
  close(): void;
};

/** Opens the records of one bot; nothing is created before the first append. */
export function openRecords(places: Places, bot: string): Records {
  let ledger = emptyLedger(bot);
  let held: readonly Line[] = [];
  let losses: readonly string[] = [];
  const journal = openJournal(places.journal, places.area, {
    line: (bytes) => enter(ledger, bytes),
    beganAnew: () => {
      ledger = emptyLedger(bot);
    },
  });

  const counts = ({ record }: Line): boolean => ledger.chain.ops.has(record.op);
  /** Held records that no reader has seen. One whose sync failed may be seen, and is still held. */
  const unseen = (): readonly Line[] => held.filter((line) => !counts(line));
  const seen = (): number => ledger.chain.seq + unseen().length;

  function write(line: Line): "recorded" | "behind" | "held" {
    for (let tries = 0; tries < 3; tries++) {
      if (!journal.write(line.text) || !journal.catchUp()) return "held";
      if (counts(line)) return "recorded";
      if (ledger.chain.head !== line.record.prev) return "behind";
      // Neither ours nor another's: it was glued to a line that somebody tore off just then.
    }
    return "held";
  }

  function settle(): boolean {
    if (!journal.catchUp()) return false;
    for (const line of held) {
      const fits = counts(line) || ledger.chain.head === line.record.prev;
      const status = fits ? write(line) : "behind";
      if (status === "held") return true;
      if (status === "behind") {
        losses = [...losses, lossOf(unseen())];
        held = [];
        return true;
      }
      held = held.slice(1);
    }
    return true;
  }

  function scan(read: (bytes: Buffer) => void): void {
    journal.scan(read);
    for (const { text } of unseen()) read(Buffer.from(text));
  }

  return {
    catchUp: () => void journal.catchUp(),
    settle,
    takeLosses() {
      const taken = losses;
      losses = [];
      return taken;
    },
    append(expected, events, saw) {
      const isReadable = settle();
      if (expected !== seen()) return "behind";
      if (events.length === 0) return "recorded";
      const prev = unseen().at(-1)?.hash ?? ledger.chain.head;
      const line = toLine({ seq: expected + 1, prev, op: randomUUID(), ...(saw === undefined ? {} : { saw }), events });
      const status = isReadable && held.length === 0 ? write(line) : "held";
      if (status === "held") held = [...held, line];
      return status;
    },
    ledger: () => ledger,
    seen,
    desk: () =>
      replay(
        unseen().flatMap(({ record }) => record.events),
        ledger.desk,
      ),
    heldCount: () => held.length,
    heldSaw: () => held.at(-1)?.record.saw,
    events() {
      const chain = emptyChain();
      const all: Event[] = [];
      scan((bytes) => {
        for (const { events } of extend(chain, bytes)) for (const event of events) all.push(event);
      });
      return all;
    },
    recount(each) {
      const anew = emptyLedger(bot);
      scan((bytes) => enter(anew, bytes, () => each?.(anew)));
      return anew;
    },
    close: journal.close,
  };
}

function lossOf(lines: readonly Line[]): string {
  const lost = lines.flatMap(({ record }) => record.events.map(nameOf));
  return `Another window went on while the history could not be written. Not recorded: ${lost.join(", ")}.`;
}

function nameOf(event: Event): string {
  const step = "step" in event && event.step !== undefined ? `.${event.step}` : "";
  return "workflow" in event ? `${event.type} ${event.workflow}${step}` : event.type;
}
