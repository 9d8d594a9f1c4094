import type { RunCondition } from "../../dashboard/overview/run-condition.ts";
import { alignColumns, paint } from "../terminal/print.ts";
import { wrap } from "../terminal/wrap.ts";
import { type StaleCheck, staleLine } from "./stale-lines.ts";
import type { ShownCurrentStep } from "./status-data.ts";

/** Display options: whether to show everything, and the width. */
export type DisplayOptions = { readonly all: boolean; readonly width: number };

/** One item of a list: its cells, whether it is open, and its stale checks. */
export type ListedRun = {
  readonly cells: readonly string[];
  readonly isOpen: boolean;
  readonly stale: readonly (readonly [place: string, StaleCheck])[];
};

/** Formats a line for each run that needs attention, or for all, and counts the others. */
export function listLines<Run extends ShownCurrentStep>(
  title: string,
  runs: readonly Run[],
  { all, width }: DisplayOptions,
  describe: (run: Run) => ListedRun,
): string[] {
  if (runs.length === 0) return [];
  const { shown, rest } = pickRuns([...runs].sort(byNeed), all);
  const listed = shown.map((run) => ({ run, ...describe(run) }));
  const styleOf = ({ run, isOpen }: { readonly run: Run; readonly isOpen: boolean }) =>
    run.stuck ? "red" : run.waiting_since !== undefined ? "yellow" : isOpen ? "green" : undefined;
  return [
    title,
    ...alignColumns(listed.map(({ cells }) => cells)).flatMap((line, at) => {
      const style = listed[at] && styleOf(listed[at]);
      return wrap(line, width, 6).map((one) => (style === undefined ? one : paint(style, one)));
    }),
    ...rest,
    ...listed.flatMap(({ stale }) => stale.flatMap((one) => wrap(staleLine(...one), width, 2))),
  ];
}

/** The conditions of a run, the most urgent first, each with the mark and the word it is counted under. */
export const conditions: readonly (readonly [RunCondition, mark: string, word: string])[] = [
  ["waits", "‖", "waiting"],
  ["stuck", "✗", "stuck"],
  ["working", "▶", "working"],
  ["quiet", "☾", "idle"],
  ["finished", "✓", "finished"],
  ["archived", "▪", "archived"],
];

/** The mark of a run, as on the dashboard. */
export function runMark(stands: RunCondition): string {
  return conditions.find(([condition]) => condition === stands)?.[1] ?? "";
}

/** Sorts by need; the order among equals stays. */
function byNeed(one: ShownCurrentStep, other: ShownCurrentStep): number {
  const rank = ({ stands }: ShownCurrentStep): number => conditions.findIndex(([condition]) => condition === stands);
  return rank(one) - rank(other);
}

/** Picks the runs that need attention, fills up with the latest others, and counts the rest in one line. */
function pickRuns<Run extends { readonly stands: RunCondition }>(
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
  const said = conditions
    .flatMap(([condition, , word]) => (counts.has(condition) ? [`${counts.get(condition)} ${word}`] : []))
    .join(", ");
  return { shown, rest: left.length === 0 ? [] : [paint("dim", `  ${said} (show with --all)`)] };
}

/** The most runs listed, and the number to fill up to. */
const maxShown = 12;
const minShown = 5;
