import { relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { DeskId, ViewVerdict } from "../../engine/ports.ts";
import { isEarlierLog } from "../projections/activity-log.ts";
import { parseJson, parseObject } from "../projections/json-text.ts";
import { textOf } from "../projections/pieces.ts";
import { sessionFileText } from "../projections/session-file.ts";
import { isPublicationAt } from "./compare.ts";
import { faultCode } from "./faults.ts";
import { botBookkeeping, emptyTally, type Ledger, type Tally } from "./ledger.ts";
import { isOfAnotherSide } from "./log-file.ts";
import { placesOf, sessionPlaces } from "./places.ts";
import { readPlain } from "./plain-file.ts";
import { openRecords, type Recorded } from "./records.ts";

/** A file that shows a desk, and how it stands to the journal. */
export type AuditedView = { readonly view: string; readonly verdict: ViewVerdict };

/** Compares the files that show a desk with what its journal says; writes nothing. */
export function auditViews(area: string, id: DeskId): readonly AuditedView[] {
  if (id.kind === "bot") {
    const records = openRecords(placesOf(area, id), botBookkeeping(id.name));
    return afterwards(records, () => auditBotFiles(area, id, records));
  }
  const records = openRecords<Tally>(sessionPlaces(area, id.name), { empty: emptyTally, add: () => {} });
  return afterwards(records, () => auditSessionFile(area, id.name, records));
}

function afterwards<T>(records: { catchUp(): void; close(): void }, work: () => T): T {
  try {
    records.catchUp();
    return work();
  } finally {
    records.close();
  }
}

/** Compares the two files of a bot with its records. */
export function auditBotFiles(area: string, id: DeskId, records: Recorded<Ledger>): readonly AuditedView[] {
  const places = placesOf(area, id);
  const { state, log, desk } = records.ledger();
  const shown = state.pieces(desk);
  const logged = log.pieces();
  const stateVerdict = verdictOf(places.state, shown && textOf(shown), (found, expected) => {
    const file = parseObject(found);
    if (file === undefined) return "differs";
    if (isDeepStrictEqual(file, parseObject(expected))) return "current";
    const wasPublished = wasEver(
      records,
      ({ desk: then }) => then.focus?.timestamp === file.timestamp,
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
export function auditSessionFile(area: string, id: string, records: Recorded<Tally>): readonly AuditedView[] {
  const places = sessionPlaces(area, id);
  const verdict = verdictOf(places.file, sessionFileText(id, records.ledger().desk), (found, expected) => {
    const file = parseObject(found);
    if (file === undefined) return "differs";
    if (isDeepStrictEqual(file, parseObject(expected))) return "current";
    const isEarlier = wasEver(
      records,
      ({ desk }) => desk.session?.changedAt === file.updated_at,
      ({ desk }) => isDeepStrictEqual(file, parseObject(sessionFileText(id, desk) ?? "")),
    );
    return isEarlier ? "behind" : "differs";
  });
  return [{ view: relative(area, places.file), verdict }];
}

/** Whether something was so at any point of a history, or of another side that was merged into it; looked at closely only where it may have been. */
function wasEver<L extends Tally>(
  records: Recorded<L>,
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

/** Nobody records more than this in one moment: whoever wrote such a history must not keep the audit busy for ever. */
const mostLooks = 100;

function verdictOf(
  path: string,
  expected: string | undefined,
  compare: (found: string, expected: string) => ViewVerdict,
): ViewVerdict {
  try {
    const found = readPlain(path).toString("utf8");
    // No file of ours is put in its place half-written, and none of them is made to last: what is no JSON, a power cut left.
    if (parseJson(found) === undefined) return "torn";
    if (expected === undefined) return "differs";
    return found === expected ? "current" : compare(found, expected);
  } catch (error) {
    const code = faultCode(error);
    if (code === undefined) throw error;
    if (code !== "ENOENT") return "unreadable";
    return expected === undefined ? "current" : "missing";
  }
}
