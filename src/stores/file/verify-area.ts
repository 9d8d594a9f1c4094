import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isEarlierLog } from "../projections/activity-log.ts";
import { parseObject } from "../projections/json-text.ts";
import { textOf } from "../projections/pieces.ts";
import { isPublicationAt } from "./compare.ts";
import { faultCode } from "./faults.ts";
import { botBookkeeping } from "./ledger.ts";
import { placesOf } from "./places.ts";
import { openRecords } from "./records.ts";
import { type VerifiedJournal, verifyJournal } from "./verify-journal.ts";

/** How a published file stands to the history: what it says, an earlier point of it, not there, not readable, or something else. */
export type FileVerdict = "current" | "behind" | "missing" | "unreadable" | "differs";

/** What the history of one bot comes to when everything is read again. */
export type VerifiedArea = {
  readonly bot: string;
  readonly file: string;
  /** Undefined where there is no history. */
  readonly journal: VerifiedJournal | undefined;
  readonly state: FileVerdict;
  readonly log: FileVerdict;
};

/** Verifies the history of one bot and the two files that show it; writes nothing. */
export function verifyArea(projectArea: string, bot: string): VerifiedArea {
  const places = placesOf(resolve(projectArea), bot);
  const journal = unlessMissing(() => verifyJournal(places.journal));
  const records = openRecords(places, botBookkeeping(bot));
  records.catchUp();
  const { state, log, desk } = records.ledger();
  const shown = state.pieces(desk);
  const logged = log.pieces();
  const verdicts = {
    state: verdictOf(places.state, shown && textOf(shown), (found, expected) => {
      const file = parseObject(found);
      if (file === undefined) return "differs";
      if (isDeepStrictEqual(file, parseObject(expected))) return "current";
      let isEarlier = false;
      records.recount((then) => {
        isEarlier ||= isPublicationAt(file, then);
      });
      return isEarlier ? "behind" : "differs";
    }),
    log: verdictOf(places.log, logged && textOf(logged), (found, expected) =>
      isEarlierLog(found, expected) ? "behind" : "differs",
    ),
  };
  records.close();
  return { bot, file: places.journal, journal, ...verdicts };
}

function verdictOf(
  path: string,
  expected: string | undefined,
  compare: (found: string, expected: string) => FileVerdict,
): FileVerdict {
  try {
    const found = unlessMissing(() => readFileSync(path, "utf8"));
    if (found === undefined) return expected === undefined ? "current" : "missing";
    if (expected === undefined) return "differs";
    return found === expected ? "current" : compare(found, expected);
  } catch (error) {
    if (faultCode(error) === undefined) throw error;
    return "unreadable";
  }
}

function unlessMissing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (faultCode(error) !== "ENOENT") throw error;
    return undefined;
  }
}
