import { close, closeSync, constants, ftruncateSync } from "node:fs";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../../engine/ports.ts";
import type { JsonObject } from "../../evidence/json.ts";
import type { Found } from "../../workflow/reconcile.ts";
import { parseObject } from "../projections/json-text.ts";
import { sessionFileText } from "../projections/session-file.ts";
import { finish, type Identity, identify, isSame, moveInto, writeWhole } from "./disk.ts";
import { unlessFault } from "./faults.ts";
import { discard, type FreshFiles } from "./fresh-files.ts";
import { keepAside } from "./kept.ts";
import type { Tally } from "./ledger.ts";
import type { SessionPlaces } from "./places.ts";
import { openPlain, readPlain } from "./plain-file.ts";
import type { Recorded } from "./records.ts";
import { openShown } from "./shown.ts";
import { makeFolder } from "./way.ts";

/** The file that shows a session to readers. It decides nothing. */
export type SessionFile = {
  /** Compares what stands there with the history. */
  look(): Found;
  /** Writes the session as it stands, beside its place. A rename would have to wait for a sync that is under way; this need not. */
  makeReady(): ReadyFile;
  /** Shows the session as it stands, with what was made ready where that still fits; what is not ours is kept aside first. Returns warnings. */
  publish(ready?: ReadyFile): readonly string[];
};

/** A file that is ready to be shown. */
export type ReadyFile = {
  /** Shows it; returns warnings. */
  show(): readonly string[];
  /** Removes it: what it says has not happened, or is not to be shown. */
  discard(): void;
};

/** What a session's file is made from. */
export type SessionFileParts = {
  readonly records: Recorded<Tally>;
  readonly fresh: FreshFiles;
  readonly clock: Clock;
};

/** Opens the file of one session; nothing is written before there is something to show. */
export function openSessionFile(
  id: string,
  { file, kept, shown: mark }: SessionPlaces,
  { records, fresh, clock }: SessionFileParts,
): SessionFile {
  let shown: { readonly identity: Identity; readonly head: string } | undefined;
  const marked = openShown(mark);

  function makeReady(): ReadyFile {
    const { chain, desk } = records.ledger();
    const { head } = chain;
    const text = sessionFileText(id, desk);
    if (text === undefined) return nothingReady;
    const written = unlessFault(() => write(text));
    return {
      show() {
        const identity = written && unlessFault(written.show);
        shown = identity && { identity, head };
        if (identity === undefined)
          return [
            `.waymark/sessions/${id}.json could not be written; it is written as soon as that works. The session itself is on record.`,
          ];
        marked.set(identity);
        records.catchUp();
        return records.ledger().chain.head === head ? [] : makeReady().show();
      },
      discard: () => written?.discard(),
    };
  }

  function write(text: string): { show(): Identity; discard(): void } {
    // Only the first one is made to last: a file that is gone or behind is written again.
    const placing = { durable: shown === undefined };
    if (placing.durable) makeFolder(dirname(file));
    const temp = fresh.take();
    // Held open, the file that goes is not freed before somebody has time for that.
    const gone = unlessFault(() => openPlain(file, constants.O_RDONLY));
    const bytes = Buffer.from(text);
    const discardBoth = (): void => {
      discard(temp);
      if (gone !== undefined) unlessFault(() => closeSync(gone));
    };
    const orDiscard = <T>(work: () => T): T => {
      try {
        return work();
      } catch (error) {
        discardBoth();
        throw error;
      }
    };
    const identity = orDiscard(() => {
      writeWhole(temp.fd, bytes, 0);
      if ((temp.size ?? 0) > bytes.length) ftruncateSync(temp.fd, bytes.length);
      return finish(temp, placing);
    });
    return {
      show() {
        orDiscard(() => moveInto(temp, file, placing));
        // While nobody waits, both are let go of, and the next file is made as large as this: room on disk that need not be found later.
        setImmediate(() => {
          for (const fd of [temp.fd, gone]) if (fd !== undefined) close(fd, () => {});
          fresh.prepare({ era, stable: bytes, ending: nothing });
        });
        return identity;
      },
      discard: discardBoth,
    };
  }

  /** Compares until nobody has recorded anything in between: a file newer than our knowledge is no edit. */
  function look(): Found {
    for (;;) {
      const { chain, desk } = records.ledger();
      const { head } = chain;
      const found = unlessFault(() => ({ identity: identify(file) }));
      const identity = found?.identity;
      if (identity !== undefined && shown?.head === head && isSame(identity, shown.identity))
        return { kind: "current" };
      const text = sessionFileText(id, desk);
      if (text === undefined) return { kind: "current" };
      if (identity === undefined) return { kind: found === undefined || !shown ? "behind" : "deleted" };
      const stands = unlessFault(() => readPlain(file).toString("utf8"));
      if (stands === text) {
        shown = { identity, head };
        marked.set(identity);
        return { kind: "current" };
      }
      records.catchUp();
      if (records.ledger().chain.head !== head) continue;
      // What nobody has touched since we wrote it shows another history: another git branch, or an older copy.
      return stands === undefined || marked.is(identity) ? { kind: "behind" } : judge(stands);
    }
  }

  function judge(stands: string): Found {
    if (stands === "") return { kind: "behind" };
    const value = parseObject(stands);
    if (value === undefined) return { kind: "malformed", reason: "it is not a JSON object" };
    return isOurs(value) ? { kind: "behind" } : { kind: "foreign", file: { completed: [] } };
  }

  /** Whether a file says what ours said at any point of the history, or of another side that was merged into it. */
  function isOurs(value: JsonObject): boolean {
    let isKnown = false;
    const compare = ({ desk }: Tally): void => {
      isKnown ||= isDeepStrictEqual(value, parseObject(sessionFileText(id, desk) ?? ""));
    };
    records.recount(compare);
    if (!isKnown) records.otherSides.recount(compare);
    return isKnown;
  }

  /** Whether the file that we showed last still stands there, or nothing does. */
  function isUntouched(): boolean {
    const identity = unlessFault(() => identify(file));
    return identity === undefined || (shown !== undefined && isSame(identity, shown.identity));
  }

  return {
    look,
    makeReady,
    publish(ready) {
      if (isUntouched() && ready !== undefined) return ready.show();
      ready?.discard();
      const { kind } = look();
      if (kind === "current") return [];
      if (kind === "malformed" || kind === "foreign") unlessFault(() => keepAside(file, kept, clock()));
      return makeReady().show();
    },
  };
}

const nothing = Buffer.alloc(0);
const era = { name: "session" };
const nothingReady: ReadyFile = { show: () => [], discard() {} };
