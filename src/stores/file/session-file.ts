import { close, ftruncateSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Desk } from "../../workflow/desk.ts";
import { sessionView } from "../../workflow/session-view.ts";
import { parseObject } from "../projections/json-text.ts";
import { type Identity, identify, isSame, putInPlace, writeWhole } from "./disk.ts";
import { unlessFault } from "./faults.ts";
import { discard, type FreshFiles } from "./fresh-files.ts";
import type { Tally } from "./ledger.ts";
import type { Records } from "./records.ts";

/** The file that shows a session to readers. It decides nothing: what somebody else writes there is undone. */
export type SessionFile = {
  /** Shows the session as it stands; returns warnings. */
  publish(): readonly string[];
  /** Puts the file right where it is behind, gone or changed; returns what a caller should know of it. */
  putRight(): readonly string[];
};

/** Opens the file of one session; nothing is written before there is something to show. */
export function openSessionFile(id: string, file: string, fresh: FreshFiles, records: Records<Tally>): SessionFile {
  let shown: { readonly identity: Identity; readonly head: string } | undefined;
  const name = `.waymark/sessions/${id}.json`;

  function publish(): readonly string[] {
    for (;;) {
      const { chain, desk } = records.ledger();
      const text = sessionFileText(id, desk);
      if (text === undefined) return [];
      const identity = unlessFault(() => put(text));
      if (identity === undefined) {
        shown = undefined;
        return [`${name} could not be written; it is written as soon as that works. The session itself is on record.`];
      }
      shown = { identity, head: chain.head };
      records.catchUp();
      if (records.ledger().chain.head === chain.head) return [];
    }
  }

  function put(text: string): Identity {
    // Only the first one is made to last: a file that is gone or behind is written again.
    const durable = shown === undefined;
    if (durable) mkdirSync(dirname(file), { recursive: true });
    const temp = fresh.take();
    const bytes = Buffer.from(text);
    try {
      writeWhole(temp.fd, bytes, 0);
      if ((temp.size ?? 0) > bytes.length) ftruncateSync(temp.fd, bytes.length);
      const identity = putInPlace(temp, file, { durable });
      // While nobody waits, this file is let go of, and the next one made as large as it: room on disk that need not be found later.
      setImmediate(() => {
        close(temp.fd, () => {});
        fresh.prepare({ era: "", stable: bytes, ending: nothing });
      });
      return identity;
    } catch (error) {
      discard(temp);
      throw error;
    }
  }

  return {
    publish,
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
      const failed = publish();
      return isForeign
        ? [`${name} was changed outside Waymark; that moves nothing, and it has been restored.`, ...failed]
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

/** What the file of a session says at this point of its history; undefined where there is nothing to show. */
export function sessionFileText(id: string, desk: Desk): string | undefined {
  const view = sessionView(id, desk);
  if (view === null) return undefined;
  const { workflow_complete: _, archived: __, ...fields } = view;
  return `${JSON.stringify(fields, null, 2)}\n`;
}
