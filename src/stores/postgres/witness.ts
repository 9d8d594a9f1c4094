import type { AuditedLog, DeskId } from "../../engine/ports.ts";
import type { Event } from "../../workflow/events.ts";
import { deskKey, nameOf } from "../desk-key.ts";
import { type Judgement, openJudgement } from "../file/belief/judgement.ts";
import type { Memory } from "../file/belief/memory.ts";
import { type Head, isSameHead, type Seen } from "../file/belief/seen.ts";
import type { Lost } from "../file/rollback.ts";

/** What this machine has seen of the histories in a database, remembered outside of it: each machine its own, as well as it can. */
export type Witness = {
  /**
   * A history ends here now; what is to be said of it, once. `isProved`: it goes on from what this process knew of it before; else
   * what was seen is looked for, by the hash of the record of a number.
   */
  saw(id: DeskId, end: Head, isProved: boolean, hashAt: HashAt): Promise<readonly string[]>;
  /** These events were recorded, by whomever: a person may have accepted the history. */
  heard(id: DeskId, events: readonly Event[]): void;
  /** Remembers how far a history has come, after whoever waits has their answer. */
  remember(id: DeskId, end: Head): void;
  /** Adds to a history that was read again what was found of it before and now; leaves no trace. */
  audit(id: DeskId, audited: AuditedLog): AuditedLog;
  /** The desks of which something was seen, without these. */
  desksBut(known: readonly DeskId[]): readonly DeskId[];
};

type HashAt = (seq: number) => Promise<string | undefined>;
type Watched = { readonly seen: Seen; readonly judgement: Judgement };

/** So many desks are watched at once; any can be taken up again. */
const mostWatched = 500;

/** Watches the histories of one area by what this machine remembers of them. */
export function openWitness(memory: Memory): Witness {
  const watched = new Map<string, Watched>();
  function watch(id: DeskId): Watched {
    const key = deskKey(id);
    const seen = watched.get(key)?.seen ?? memory.of(id);
    const one = watched.get(key) ?? { seen, judgement: openJudgement(seen) };
    watched.delete(key);
    watched.set(key, one);
    const [oldest] = watched.size > mostWatched ? watched.keys() : [];
    if (oldest !== undefined) watched.delete(oldest);
    return one;
  }
  const remember = (id: DeskId, end: Head): void => {
    const { judgement } = watch(id);
    setImmediate(() => judgement.remember(end));
  };
  return {
    async saw(id, end, isProved, hashAt) {
      const { seen, judgement } = watch(id);
      if (!isProved) judgement.lose(await findLost(nameOf(id), seen, end, hashAt));
      const said = judgement.judge(false);
      remember(id, end);
      return said;
    },
    heard: (id, events) => {
      if (events.some(({ type }) => type === "accepted")) watch(id).judgement.hear(events);
    },
    remember,
    audit(id, audited) {
      const seen = memory.of(id);
      const { seq, head, hashes } = audited;
      const before = seen.disputes().map(({ text, at }) => `${text} Found on ${at}.`);
      const last = seen.last();
      const lost = last && lostOf(nameOf(id), { last, end: { seq, head }, found: hashes.get(last.seq) });
      const texts = [...before, ...(lost === undefined ? [] : [lost.text])];
      return { ...audited, disputes: [...(audited.disputes ?? []), ...texts.map((text) => ({ text }))] };
    },
    desksBut: (known) => memory.desksBut(known),
  };
}

async function findLost(name: string, seen: Seen, end: Head, hashAt: HashAt): Promise<Lost | undefined> {
  const last = seen.last();
  if (last === undefined || last.seq === 0 || isSameHead(last, end)) return undefined;
  return lostOf(name, { last, end, found: end.seq > last.seq ? await hashAt(last.seq) : undefined });
}

/** What is to be said of a history that was seen to have a record, and has another in its place, or none. */
function lostOf(
  name: string,
  { last, end, found }: { readonly last: Head; readonly end: Head; readonly found: string | undefined },
): Lost | undefined {
  const isThere = isSameHead(last, end) || (found !== undefined && isSameHead(last, { seq: last.seq, head: found }));
  if (last.seq === 0 || isThere) return undefined;
  const had = `The history of ${name} that was on record in this database, of ${last.seq} record(s),`;
  if (end.seq === 0) return { text: `${had} is gone.` };
  if (end.seq < last.seq)
    return {
      text: `The history of ${name} has gone back: it had ${last.seq} record(s), and has ${end.seq} now. What is there counts.`,
    };
  return { text: `${had} is not the one that stands there now: record ${last.seq} is another.` };
}
