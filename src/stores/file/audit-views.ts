import { relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ViewVerdict } from "../../engine/ports/views.ts";
import { ioErrorCode } from "../../kit/io-errors.ts";
import { sessionFileText } from "../../workflow/session-view.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { isEarlierLog } from "../projections/activity-log.ts";
import { textOf } from "../projections/file-pieces.ts";
import { parseJson, parseObject } from "../projections/json-text.ts";
import { isPublicationAt } from "./compare-state.ts";
import { type BotTotals, botReducer, emptyTotals, type JournalTotals } from "./journal-totals.ts";
import { isOfAnotherSide } from "./log-file.ts";
import { readPlain } from "./plain-file.ts";
import { openRecords, type ViewRecords } from "./records.ts";
import { botPaths, sessionPaths } from "./stream-paths.ts";

/** A projected file of a stream and its verdict. */
export type AuditedView = { readonly view: string; readonly verdict: ViewVerdict };

/** Compares a stream's projected files with its journal; writes nothing. */
export function auditViews(area: string, id: StreamId): readonly AuditedView[] {
  if (id.kind === "bot") {
    const records = openRecords(botPaths(area, id), botReducer(id.name));
    return withRecords(records, () => auditBotFiles(area, id, records));
  }
  const records = openRecords<JournalTotals>(sessionPaths(area, id.name), { empty: emptyTotals, add: () => {} });
  return withRecords(records, () => auditSessionFile(area, id.name, records));
}

function withRecords<T>(records: { catchUp(): void; close(): void }, work: () => T): T {
  try {
    records.catchUp();
    return work();
  } finally {
    records.close();
  }
}

/** Compares the two files of a bot with its records. */
export function auditBotFiles(area: string, id: StreamId, records: ViewRecords<BotTotals>): readonly AuditedView[] {
  const places = botPaths(area, id);
  const { state, log, stream } = records.ledger();
  const shown = state.pieces(stream);
  const logged = log.pieces();
  const stateVerdict = verdictOf(places.state, shown && textOf(shown), (found, expected) => {
    const file = parseObject(found);
    if (file === undefined) return "differs";
    if (isDeepStrictEqual(file, parseObject(expected))) return "current";
    const wasPublished = wasEverTrue(
      records,
      ({ stream: then }) => then.focus?.timestamp === file.timestamp,
      (then) => isPublicationAt(file, then),
    );
    return wasPublished ? "behind" : "differs";
  });
  const logVerdict = verdictOf(places.log, logged && textOf(logged), (found, expected) =>
    isEarlierLog(found, expected) || isOfAnotherSide(found, records) ? "behind" : "differs",
  );
  return [
    { view: relative(area, places.state), verdict: stateVerdict },
    { view: relative(area, places.log), verdict: logVerdict },
  ];
}

/** Compares the file of a session with its records. */
export function auditSessionFile(
  area: string,
  id: string,
  records: ViewRecords<JournalTotals>,
): readonly AuditedView[] {
  const places = sessionPaths(area, id);
  const verdict = verdictOf(places.file, sessionFileText(id, records.ledger().stream), (found, expected) => {
    const file = parseObject(found);
    if (file === undefined) return "differs";
    if (isDeepStrictEqual(file, parseObject(expected))) return "current";
    const isEarlier = wasEverTrue(
      records,
      ({ stream }) => stream.session?.changedAt === file.updated_at,
      ({ stream }) => isDeepStrictEqual(file, parseObject(sessionFileText(id, stream) ?? "")),
    );
    return isEarlier ? "behind" : "differs";
  });
  return [{ view: relative(area, places.file), verdict }];
}

/** Tells if something was ever true in a history or a fork merged into it; looks closely only if it may have been. */
function wasEverTrue<L extends JournalTotals>(
  records: ViewRecords<L>,
  mayBe: (ledger: L) => boolean,
  isSo: (ledger: L) => boolean,
): boolean {
  let was = false;
  let looks = 0;
  const look = (then: L): void => {
    if (was || looks >= mostLooks || !mayBe(then)) return;
    looks++;
    was = isSo(then);
  };
  records.recount(look);
  if (!was) records.otherSides.recount(look);
  return was;
}

/** The most close looks, so that a forged history cannot keep the audit busy. */
const mostLooks = 100;

function verdictOf(
  path: string,
  expected: string | undefined,
  compare: (found: string, expected: string) => ViewVerdict,
): ViewVerdict {
  try {
    const found = readPlain(path).toString("utf8");
    // Our files are replaced whole but not synced: invalid JSON is left by a power cut.
    if (parseJson(found) === undefined) return "torn";
    if (expected === undefined) return "differs";
    return found === expected ? "current" : compare(found, expected);
  } catch (error) {
    const code = ioErrorCode(error);
    if (code === undefined) throw error;
    if (code !== "ENOENT") return "unreadable";
    return expected === undefined ? "current" : "missing";
  }
}
