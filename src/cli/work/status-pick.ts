import type { RunCondition } from "../../dashboard/overview/run-condition.ts";
import { paint } from "../terminal/print.ts";

/** Display options: whether to show everything, and the width. */
export type DisplayOptions = { readonly all: boolean; readonly width: number };

/** Picks the runs that need attention, fills up with the latest others, and counts the rest in one line. */
export function pickRuns<Run extends { readonly stands: RunCondition }>(
  runs: readonly Run[],
  all: boolean,
): { readonly shown: readonly Run[]; readonly rest: readonly string[] } {
  if (all) return { shown: runs, rest: [] };
  const matters = runs.filter(({ stands }) => stands === "waits" || stands === "stuck" || stands === "working");
  const others = runs.filter(({ stands }) => stands === "quiet" || stands === "finished");
  const kept = new Set<Run>([
    ...matters.slice(0, maxShown),
    ...others.slice(0, Math.max(0, minShown - matters.length)),
  ]);
  const shown = runs.filter((run) => kept.has(run));
  const left = runs.filter((run) => !kept.has(run));
  const counts = new Map<RunCondition, number>();
  for (const { stands } of left) counts.set(stands, (counts.get(stands) ?? 0) + 1);
  const said = [...counts].map(([stands, count]) => `${count} ${stands === "waits" ? "waiting" : stands}`).join(", ");
  return { shown, rest: left.length === 0 ? [] : [paint("dim", `  ${said} (show with --all)`)] };
}

/** The most runs listed, and the number to fill up to. */
const maxShown = 12;
const minShown = 5;
