import { byNeed, compareText } from "../overview/by-need.ts";
import { conditionOrder, countByCondition } from "../overview/conditions.ts";
import type { RunCondition, RunFilters, RunList, RunRow } from "./board-data.ts";

/** The rows of one page. */
const pageSize = 100;
/** The most choices that a filter offers. */
const mostChoices = 50;

/** Lists one page of the runs that fit: by need, or in the order that is chosen. */
export function listPage(
  all: readonly RunRow[],
  filters: RunFilters,
  now: number,
): Pick<RunList, "runs" | "found" | "page" | "pages" | "choices" | "times"> {
  const shown = conditionOrder.filter((one) =>
    filters.stands === undefined ? one !== "archived" : one === filters.stands,
  );
  const fitting = all.filter((row) => shown.includes(row.stands) && fits(row, filters, now));
  fitting.sort(orders[filters.sort ?? ""] ?? byNeed);
  const pages = Math.max(1, Math.ceil(fitting.length / pageSize));
  const page = Math.min(pages, Math.max(1, Math.floor(Number(filters.page)) || 1));
  return {
    ...{ runs: fitting.slice((page - 1) * pageSize, page * pageSize), found: countByCondition(fitting), page, pages },
    choices: choicesIn(all),
    times: {
      waits: earliest(all.map(({ stands, now }) => (stands === "waits" ? now?.waitingSince : undefined))),
      working: latest(all, "working"),
      quiet: latest(all, "quiet"),
    },
  };
}

function fits(row: RunRow, { workflow, assistant, for: person, age, q = "" }: RunFilters, now: number): boolean {
  if (workflow !== undefined && row.workflow !== workflow) return false;
  if (assistant !== undefined && assistantOf(row) !== assistant) return false;
  if (person !== undefined && !(row.now?.waitingFor ?? "").includes(person)) return false;
  if (age !== undefined && !(now - Date.parse(row.changed ?? "") > Number(age) * 86_400_000)) return false;
  const text = `${row.title} ${row.workflow} ${row.run ?? ""} ${row.now?.label ?? ""} ${row.stands}`.toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The assistant that works on a run, without its version. */
function assistantOf({ now }: RunRow): string | undefined {
  return now?.client?.replace(/\s+\d\S*$/, "");
}

/** The names in the words that say for whom a run waits. */
function peopleIn(waitingFor: string): readonly string[] {
  const [names = ""] = waitingFor.split(/ \(|;/);
  return names.split(/, | or /).filter((name) => name !== "" && !/^(?:a person|\d+ people)$/.test(name));
}

function choicesIn(all: readonly RunRow[]): RunList["choices"] {
  const [workflows, assistants, people] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const row of all) {
    workflows.add(row.workflow);
    const assistant = assistantOf(row);
    if (assistant !== undefined) assistants.add(assistant);
    for (const name of peopleIn(row.now?.waitingFor ?? "")) people.add(name);
  }
  const some = (names: ReadonlySet<string>): readonly string[] => [...names].sort().slice(0, mostChoices);
  return { workflow: some(workflows), assistant: some(assistants), for: some(people) };
}

function earliest(times: readonly (string | undefined)[]): string | null {
  return times.reduce<string | null>((first, at) => (at !== undefined && at < (first ?? "~") ? at : first), null);
}

function latest(all: readonly RunRow[], stands: RunCondition): string | null {
  return all.reduce<string | null>(
    (last, row) => (row.stands === stands && (row.changed ?? "") > (last ?? "") ? row.changed : last),
    null,
  );
}

/** The orders that can be chosen instead of by need. */
const orders: Readonly<Record<string, (one: RunRow, other: RunRow) => number>> = {
  latest: (one, other) => compareText(other.changed ?? "", one.changed ?? ""),
  oldest: (one, other) => compareText(one.changed ?? "", other.changed ?? ""),
  name: (one, other) => one.title.localeCompare(other.title),
  refused: (one, other) => other.refusals - one.refusals,
};
