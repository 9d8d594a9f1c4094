import type { StandsAs } from "../overview/stands-as.ts";
import { paint } from "./print.ts";

/** How much is shown: all, or what matters; and how wide. */
export type Choosing = { readonly all: boolean; readonly width: number };

/** What matters of a list, the latest of the rest where there is room, and a line that counts what is left out. */
export function chosen<Run extends { readonly stands: StandsAs }>(
  runs: readonly Run[],
  all: boolean,
): { readonly shown: readonly Run[]; readonly rest: readonly string[] } {
  if (all) return { shown: runs, rest: [] };
  const matters = runs.filter(({ stands }) => stands === "waits" || stands === "stuck" || stands === "working");
  const others = runs.filter(({ stands }) => stands === "quiet" || stands === "finished");
  const kept = new Set<Run>([...matters.slice(0, most), ...others.slice(0, Math.max(0, few - matters.length))]);
  const shown = runs.filter((run) => kept.has(run));
  const left = runs.filter((run) => !kept.has(run));
  const counts = new Map<StandsAs, number>();
  for (const { stands } of left) counts.set(stands, (counts.get(stands) ?? 0) + 1);
  const said = [...counts].map(([stands, count]) => `${count} ${stands}`).join(", ");
  return { shown, rest: left.length === 0 ? [] : [paint("dim", `  ${said} (--all shows them)`)] };
}

/** So many that matter are listed at most, and so many are shown where fewer matter. */
const most = 12;
const few = 5;
