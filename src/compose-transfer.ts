import type { OpenedWorkplace } from "./compose.ts";
import type { HistoryLine } from "./stores/transfer/history-file.ts";
import { type LinesOf, type Taken, takeHistories } from "./stores/transfer/read-history.ts";
import { historyLines } from "./stores/transfer/write-history.ts";

export { NotTaken } from "./stores/transfer/read-history.ts";
export { NotWhole } from "./stores/transfer/write-history.ts";

/** Hears how many desks have been moved, of how many. */
type OnDesk = (done: number, total: number) => void;

/** Everything that is kept of a project, line by line. */
export async function* linesOf(workplace: OpenedWorkplace, onDesk?: OnDesk): AsyncGenerator<HistoryLine> {
  yield* historyLines(await workplace.logs(), workplace.pins, new Date(), onDesk);
}

/** Brings in what such lines say. */
export async function takeLines(
  workplace: OpenedWorkplace,
  lines: LinesOf,
  onDesk?: OnDesk,
): Promise<readonly Taken[]> {
  return takeHistories(lines, await workplace.logs(), workplace.pins, onDesk);
}
