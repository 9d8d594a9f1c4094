import { closeSync, constants, fstatSync, readSync } from "node:fs";
import type { Clock } from "../../engine/ports/clock.ts";
import { unlessIoError } from "../../kit/io-errors.ts";
import type { JsonObject } from "../../kit/json.ts";
import { isEarlierLog } from "../projections/activity-log.ts";
import { type Era, textOf } from "../projections/file-pieces.ts";
import { parseObjects } from "../projections/json-text.ts";
import { type Identity, identityAt, isSameFile } from "./atomic-file.ts";
import { openFileReplacer } from "./file-replacer.ts";
import type { BotTotals } from "./journal-totals.ts";
import { keepAside } from "./keep-aside.ts";
import { openLastWritten } from "./last-written.ts";
import { openPlain, readPlain } from "./plain-file.ts";
import type { ViewRecords } from "./records.ts";
import type { BotPaths } from "./stream-paths.ts";

/** `activity_log.json`: finding what was there before, and publishing the history. */
export type LogFile = {
  /** The existing log, if it is a list of objects. */
  found(): readonly JsonObject[] | undefined;
  /** Tells if a publication is due, after a crash or a failure. */
  isOwed(): boolean;
  /** Publishes the file after keeping foreign content aside; false on failure. */
  publish(): boolean;
  /** Reports, once, that foreign content was replaced. */
  takeNotices(): readonly string[];
  close(): void;
};

/** Opens the log file of one stream. */
export function openLogFile(places: BotPaths, records: ViewRecords<BotTotals>, clock: Clock): LogFile {
  const placer = openFileReplacer(places.log, places.tmp);
  const shown = openLastWritten(places.shown.log);
  let ours: { readonly identity: Identity; readonly era: Era; readonly size: number } | undefined;
  let notices: readonly string[] = [];
  let isChecked = false;
  let hasFailed = false;

  function put(): void {
    const status = identityAt(places.log);
    const { era } = records.ledger().log.pieces() ?? {};
    // Our file of another era no longer shows the history: it is examined like a foreign one.
    const isKnown =
      status !== undefined && ours?.era === era && ours !== undefined && isSameFile(status, ours.identity);
    if (status !== undefined && !isKnown && status.size > 0n) {
      const found = readPlain(places.log).toString("utf8");
      records.catchUp(); // read first: a log newer than our knowledge is no edit
      if (!isEarlierLog(found, textOf(records.ledger().log.pieces())) && !isOfAnotherSide(found, records)) {
        keepAside(places.log, places.kept, clock());
        if (!shown.is(status)) notices = [replaced];
      }
    }
    const { log } = records.ledger();
    const pieces = log.pieces();
    if (pieces === undefined || (isKnown && ours?.size === log.size())) return;
    const isFirst = status === undefined;
    ours = { identity: placer.replace(pieces, { durable: isFirst }), era: pieces.era, size: log.size() };
    shown.set(ours.identity);
  }

  return {
    found() {
      const status = unlessIoError(() => identityAt(places.log));
      if (status !== undefined && shown.is(status)) return undefined; // ours, of another history
      return parseObjects(unlessIoError(() => readPlain(places.log).toString("utf8")) ?? "");
    },
    isOwed() {
      if (isChecked) return hasFailed;
      isChecked = true;
      const tail = records.ledger().log.tail();
      return tail !== undefined && unlessIoError(() => tailOf(places.log, Buffer.byteLength(tail))) !== tail;
    },
    publish() {
      isChecked = true;
      const done = unlessIoError(() => {
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

/** Tells if a log on disk is ours, from a merged branch that does not count. */
export function isOfAnotherSide(found: string, { otherSides }: ViewRecords<BotTotals>): boolean {
  let isTheirs = false;
  otherSides.recount(({ log }, isLast) => {
    isTheirs ||= isLast && isEarlierLog(found, textOf(log.pieces()));
  });
  return isTheirs;
}

const replaced =
  "activity_log.json was changed outside Waymark. It was restored from the history; the changed version is under .waymark/kept/.";

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
