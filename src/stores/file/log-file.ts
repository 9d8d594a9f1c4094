import { closeSync, constants, fstatSync, readSync } from "node:fs";
import type { Clock } from "../../engine/ports.ts";
import type { JsonObject } from "../../evidence/json.ts";
import { isEarlierLog } from "../projections/activity-log.ts";
import { parseObjects } from "../projections/json-text.ts";
import { type Era, textOf } from "../projections/pieces.ts";
import { type Identity, identify, isSame } from "./disk.ts";
import { unlessFault } from "./faults.ts";
import { keepAside } from "./kept.ts";
import type { Ledger } from "./ledger.ts";
import { openPlacer } from "./placer.ts";
import type { Places } from "./places.ts";
import { openPlain, readPlain } from "./plain-file.ts";
import type { Recorded } from "./records.ts";
import { openShown } from "./shown.ts";

/** `activity_log.json`: what stood there before us, and putting there what the history says. */
export type LogFile = {
  /** The log that stands there, where it is a list of objects. */
  found(): readonly JsonObject[] | undefined;
  /** Whether a publication is due: one that a crash cut off, or one that failed. */
  isOwed(): boolean;
  /** Publishes the file, after keeping aside what somebody else wrote there; false where that failed. */
  publish(): boolean;
  /** Says, once, that what somebody else wrote there was replaced. */
  takeNotices(): readonly string[];
  close(): void;
};

/** Opens the log file of one desk. */
export function openLogFile(places: Places, records: Recorded<Ledger>, clock: Clock): LogFile {
  const placer = openPlacer(places.log, places.tmp);
  const shown = openShown(places.shown.log);
  let ours: { readonly identity: Identity; readonly era: Era; readonly size: number } | undefined;
  let notices: readonly string[] = [];
  let isChecked = false;
  let hasFailed = false;

  function put(): void {
    const standing = identify(places.log);
    const { era } = records.ledger().log.pieces() ?? {};
    // What we wrote of another era is no longer what the history says: it is looked at like anybody's.
    const isKnown =
      standing !== undefined && ours?.era === era && ours !== undefined && isSame(standing, ours.identity);
    if (standing !== undefined && !isKnown && standing.size > 0n) {
      const found = readPlain(places.log).toString("utf8");
      records.catchUp(); // read first: a log newer than our knowledge is no edit
      if (!isEarlierLog(found, textOf(records.ledger().log.pieces())) && !isOfAnotherSide(found, records)) {
        keepAside(places.log, places.kept, clock());
        if (!shown.is(standing)) notices = [replaced];
      }
    }
    const { log } = records.ledger();
    const pieces = log.pieces();
    if (pieces === undefined || (isKnown && ours?.size === log.size())) return;
    const isFirst = standing === undefined;
    ours = { identity: placer.replace(pieces, { durable: isFirst }), era: pieces.era, size: log.size() };
    shown.set(ours.identity);
  }

  return {
    found() {
      const standing = unlessFault(() => identify(places.log));
      if (standing !== undefined && shown.is(standing)) return undefined; // ours, of another history
      return parseObjects(unlessFault(() => readPlain(places.log).toString("utf8")) ?? "");
    },
    isOwed() {
      if (isChecked) return hasFailed;
      isChecked = true;
      const tail = records.ledger().log.tail();
      return tail !== undefined && unlessFault(() => tailOf(places.log, Buffer.byteLength(tail))) !== tail;
    },
    publish() {
      isChecked = true;
      const done = unlessFault(() => {
        put();
        return true;
      });
      hasFailed = done === undefined;
      return !hasFailed;
    },
    takeNotices() {
      const taken = notices;
      notices = [];
      return taken;
    },
    close: placer.close,
  };
}

/** Whether a log found on disk is one of ours, from a branch that was merged into this one and does not count. */
export function isOfAnotherSide(found: string, { otherSides }: Recorded<Ledger>): boolean {
  let isTheirs = false;
  otherSides.recount(({ log }, isLast) => {
    isTheirs ||= isLast && isEarlierLog(found, textOf(log.pieces()));
  });
  return isTheirs;
}

const replaced =
  "activity_log.json was changed outside Waymark: it says again what the history says, and what stood there is kept under .waymark/kept/.";

/** The last bytes of a file. */
function tailOf(path: string, length: number): string {
  const fd = openPlain(path, constants.O_RDONLY);
  try {
    const bytes = Buffer.alloc(length);
    readSync(fd, bytes, 0, length, Math.max(0, fstatSync(fd).size - length));
    return bytes.toString("utf8");
  } finally {
    closeSync(fd);
  }
}
