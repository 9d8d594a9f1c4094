import { close, closeSync, ftruncateSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Desk } from "../../workflow/desk.ts";
import { sessionView } from "../../workflow/session-view.ts";
import { parseObject } from "../projections/json-text.ts";
import { finish, type Identity, identify, isSame, moveInto, writeWhole } from "./disk.ts";
import { unlessFault } from "./faults.ts";
import { discard, type FreshFiles } from "./fresh-files.ts";
import { keepAside } from "./kept.ts";
import type { Tally } from "./ledger.ts";
import type { Records } from "./records.ts";

/** The file that shows a session to readers. It decides nothing: what somebody else writes there is undone. */
export type SessionFile = {
  /** Writes the session as it stands, beside its place. A rename would have to wait for a sync that is under way; this need not. */
  makeReady(): ReadyFile;
  /** Puts the file right where it is behind, gone or changed; returns what a caller should know of it. */
  putRight(): readonly string[];
};

/** A file that is ready to be shown. */
export type ReadyFile = {
  /** Shows it; returns warnings. */
  show(): readonly string[];
  /** Removes it: what it says has not happened. */
  discard(): void;
};

/** Opens the file of one session; nothing is written before there is something to show. */
export function openSessionFile(
  id: string,
  { file, kept }: { readonly file: string; readonly kept: string },
  fresh: FreshFiles,
  records: Records<Tally>,
): SessionFile {
  let shown: { readonly identity: Identity; readonly head: string } | undefined;
  const name = `.waymark/sessions/${id}.json`;

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
            `${name} could not be written; it is written as soon as that works. The session itself is on record.`,
          ];
        records.catchUp();
        return records.ledger().chain.head === head ? [] : makeReady().show();
      },
      discard: () => written?.discard(),
    };
  }

  function write(text: string): { show(): Identity; discard(): void } {
    // Only the first one is made to last: a file that is gone or behind is written again.
    const placing = { durable: shown === undefined };
    if (placing.durable) mkdirSync(dirname(file), { recursive: true });
    const temp = fresh.take();
    // Held open, the file that goes is not freed before somebody has time for that.
    const gone = unlessFault(() => openSync(file, "r"));
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

  return {
    makeReady,
    putRight() {
      const { chain, desk } = records.ledger();
      const found = unlessFault(() => identify(file));
      if (shown !== undefined && found !== undefined && isSame(found, shown.identity) && shown.head === chain.head)
        return [];
      const text = sessionFileText(id, desk);
      if (text === undefined) return [];
      const stands = found === undefined ? undefined : unlessFault(() => readFileSync(file, "utf8"));
      if (stands === text && found !== undefined) {
        shown = { identity: found, head: chain.head };
        return [];
      }
      const isForeign = stands !== undefined && !isEarlier(stands);
      if (isForeign) unlessFault(() => keepAside(file, kept, new Date()));
      const failed = makeReady().show();
      return isForeign
        ? [
            `${name} was changed outside Waymark; that moves nothing, and it has been restored. What stood there is kept under .waymark/kept/.`,
            ...failed,
          ]
        : failed;
    },
  };

  function isEarlier(text: string): boolean {
    const value = parseObject(text);
    if (value === undefined) return text === "";
    let isKnown = false;
    records.recount(({ desk }) => {
      isKnown ||= isDeepStrictEqual(value, parseObject(sessionFileText(id, desk) ?? ""));
    });
    return isKnown;
  }
}

const nothing = Buffer.alloc(0);
const era = { name: "session" };
const nothingReady: ReadyFile = { show: () => [], discard() {} };

/** What the file of a session says at this point of its history; undefined where there is nothing to show. */
export function sessionFileText(id: string, desk: Desk): string | undefined {
  const view = sessionView(id, desk);
  if (view === null) return undefined;
  const { workflow_complete: _, archived: __, ...fields } = view;
  return `${JSON.stringify(fields, null, 2)}\n`;
}
