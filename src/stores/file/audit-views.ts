import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { DeskId, ViewVerdict } from "../../engine/ports.ts";
import { isEarlierLog } from "../projections/activity-log.ts";
import { parseObject } from "../projections/json-text.ts";
import { textOf } from "../projections/pieces.ts";
import { sessionFileText } from "../projections/session-file.ts";
import { isPublicationAt } from "./compare.ts";
import { faultCode } from "./faults.ts";
import { botBookkeeping, emptyTally, type Tally } from "./ledger.ts";
import { isOfAnotherSide } from "./log-file.ts";
import { placesOf, sessionPlaces } from "./places.ts";
import { openRecords, type Records } from "./records.ts";

type Audited = { readonly view: string; readonly verdict: ViewVerdict };

/** Compares the files that show a desk with what its journal says; writes nothing. */
export function auditViews(area: string, id: DeskId): readonly Audited[] {
  return id.kind === "bot" ? auditBot(area, id) : auditSession(area, id.name);
}

function auditBot(area: string, id: DeskId): readonly Audited[] {
  const places = placesOf(area, id);
  const records = openRecords(places, botBookkeeping(id.name));
  records.catchUp();
  const { state, log, desk } = records.ledger();
  const shown = state.pieces(desk);
  const logged = log.pieces();
  const stateVerdict = verdictOf(places.state, shown && textOf(shown), (found, expected) => {
    const file = parseObject(found);
    if (file === undefined) return "differs";
    if (isDeepStrictEqual(file, parseObject(expected))) return "current";
    return wasEver(records, (then) => isPublicationAt(file, then)) ? "behind" : "differs";
  });
  const logVerdict = verdictOf(places.log, logged && textOf(logged), (found, expected) =>
    isEarlierLog(found, expected) || isOfAnotherSide(found, records) ? "behind" : "differs",
  );
  records.close();
  return [
    { view: relative(area, places.state), verdict: stateVerdict },
    { view: relative(area, places.log), verdict: logVerdict },
  ];
}

function auditSession(area: string, id: string): readonly Audited[] {
  const places = sessionPlaces(area, id);
  const records = openRecords<Tally>(places, { empty: emptyTally, add: () => {} });
  records.catchUp();
  const verdict = verdictOf(places.file, sessionFileText(id, records.ledger().desk), (found, expected) => {
    const file = parseObject(found);
    if (file === undefined) return "differs";
    if (isDeepStrictEqual(file, parseObject(expected))) return "current";
    const isEarlier = wasEver(records, ({ desk }) =>
      isDeepStrictEqual(file, parseObject(sessionFileText(id, desk) ?? "")),
    );
    return isEarlier ? "behind" : "differs";
  });
  records.close();
  return [{ view: relative(area, places.file), verdict }];
}

/** Whether something was so at any point of a history, or of another side that was merged into it. */
function wasEver<L extends Tally>(records: Records<L>, isSo: (ledger: L) => boolean): boolean {
  let was = false;
  const look = (then: L): void => {
    was ||= isSo(then);
  };
  records.recount(look);
  if (!was) records.otherSides.recount(look);
  return was;
}

function verdictOf(
  path: string,
  expected: string | undefined,
  compare: (found: string, expected: string) => ViewVerdict,
): ViewVerdict {
  try {
    const found = readFileSync(path, "utf8");
    if (expected === undefined) return "differs";
    return found === expected ? "current" : compare(found, expected);
  } catch (error) {
    const code = faultCode(error);
    if (code === undefined) throw error;
    if (code !== "ENOENT") return "unreadable";
    return expected === undefined ? "current" : "missing";
  }
}
