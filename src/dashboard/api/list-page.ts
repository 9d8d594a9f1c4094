import { compareText } from "../overview/by-need.ts";
import { conditionOrder, countByCondition } from "../overview/conditions.ts";
import type { RunFilters, RunList, RunRow } from "./board-data.ts";
import { type ListedRuns, withoutVersion } from "./listed-runs.ts";

/** The rows of one page. */
const pageSize = 100;

/** Lists one page of the runs that fit: by need, or in the order that is chosen. */
export function listPage(
  listed: ListedRuns,
  filters: RunFilters,
  now: number,
): Pick<RunList, "runs" | "found" | "page" | "pages"> {
  const words = (filters.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const { workflow, assistant, for: person, age, sort = "" } = filters;
  const isFiltered = words.length > 0 || [workflow, assistant, person, age].some((one) => one !== undefined);
  const shown = shownRows(listed, filters.stands);
  const fitting = isFiltered ? shown.filter((row) => fits(row, filters, words, now)) : shown;
  const sorted = orders[sort] === undefined ? fitting : fitting.toSorted(orders[sort]);
  const pages = Math.max(1, Math.ceil(sorted.length / pageSize));
  const page = Math.min(pages, Math.max(1, Math.floor(Number(filters.page)) || 1));
  const runs = sorted.slice((page - 1) * pageSize, page * pageSize);
  return { runs, found: countByCondition(fitting), page, pages };
}

/** The rows of one condition, or of all but the archived: they come in the order of their conditions. */
function shownRows({ byNeed, counts }: ListedRuns, stands: string | undefined): readonly RunRow[] {
  if (stands === undefined) return byNeed.slice(0, byNeed.length - counts.archived);
  const names: readonly string[] = conditionOrder;
  const at = names.indexOf(stands);
  const condition = conditionOrder[at];
  if (condition === undefined) return [];
  const from = conditionOrder.slice(0, at).reduce((sum, one) => sum + counts[one], 0);
  return byNeed.slice(from, from + counts[condition]);
}

function fits(
  row: RunRow,
  { workflow, assistant, for: person, age }: RunFilters,
  words: readonly string[],
  now: number,
): boolean {
  if (workflow !== undefined && row.workflow !== workflow) return false;
  if (assistant !== undefined && withoutVersion(row.now?.client ?? "") !== assistant) return false;
  if (person !== undefined && !(row.now?.waitingFor ?? "").includes(person)) return false;
  if (age !== undefined && !(now - Date.parse(row.changed ?? "") > Number(age) * 86_400_000)) return false;
  if (words.length === 0) return true;
  const text = `${row.title} ${row.workflow} ${row.run ?? ""} ${row.now?.label ?? ""} ${row.stands}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** The orders that can be chosen instead of by need. */
const orders: Readonly<Record<string, (one: RunRow, other: RunRow) => number>> = {
  latest: (one, other) => compareText(other.changed ?? "", one.changed ?? ""),
  oldest: (one, other) => compareText(one.changed ?? "", other.changed ?? ""),
  name: (one, other) => one.title.localeCompare(other.title),
  refused: (one, other) => other.refusals - one.refusals,
};
