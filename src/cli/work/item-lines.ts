import type { ItemStatus, StepItemStatuses } from "../../engine/run-status.ts";
import { alignColumns, oneLine, paint } from "../terminal/print.ts";

const marks: Readonly<Record<ItemStatus["state"], string>> = {
  waiting: "·",
  open: "▶",
  settled: "✓",
  dropped: "–",
  failed: "!",
};

/** Formats the items of each step of a run, one line for each. */
export function itemLines(run: string, lists: readonly StepItemStatuses[] = []): string[] {
  return lists.flatMap(({ workflow, step, items }) => {
    const settled = items.filter(({ state }) => state === "settled" || state === "dropped").length;
    const title = `Items of ${oneLine(run)}, ${oneLine(workflow)}.${oneLine(step)}: ${settled} of ${items.length} settled`;
    const lines = alignColumns(items.map(cells));
    return ["", title, ...lines.map((line, at) => (items[at]?.state === "failed" ? paint("red", line) : line))];
  });
}

function cells({ item, title, state, outcome, session, gone }: ItemStatus): string[] {
  const how = outcome === undefined || outcome === "done" ? state : `${state} (${oneLine(outcome)})`;
  const more = gone ? `${how}, no longer in the list` : how;
  return [`${marks[state]} ${oneLine(item)}`, oneLine(title).slice(0, 60), more, session ?? ""];
}
