import { exportHistories } from "../stores/transfer/export-history.ts";
import type { HistoryLine } from "../stores/transfer/history-lines.ts";
import { type ImportedStream, importHistories, type LinesOf } from "../stores/transfer/import-history.ts";
import type { OpenedWorkplace } from "./open-workplace.ts";

export { BrokenHistory } from "../stores/transfer/export-history.ts";
export { ImportRefused } from "../stores/transfer/import-history.ts";

/** Reports how many streams have been moved, out of how many. */
type OnStreamMoved = (done: number, total: number) => void;

/** Everything kept of a project, line by line. */
export async function* exportLines(workplace: OpenedWorkplace, onStream?: OnStreamMoved): AsyncGenerator<HistoryLine> {
  yield* exportHistories(await workplace.logs(), workplace.pins, new Date(), onStream);
}

/** Imports such lines. */
export async function importLines(
  workplace: OpenedWorkplace,
  lines: LinesOf,
  onStream?: OnStreamMoved,
): Promise<readonly ImportedStream[]> {
  return importHistories(lines, await workplace.logs(), workplace.pins, onStream);
}
