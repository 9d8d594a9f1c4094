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
  const words = (filters.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const byCondition = new Map(shown.map((one): [RunCondition, RunRow[]] => [one, []]));
  for (const row of all) if (fits(row, filters, words, now)) byCondition.get(row.stands)?.push(row);
  // each group comes with its latest first and is nearly in order
  const order = orders[filters.sort ?? ""];
  const grouped = [...byCondition.values()].flatMap((rows) => (order === undefined ? rows.sort(byNeed) : rows));
  const fitting = order === undefined ? grouped : grouped.sort(order);
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

function fits(
  row: RunRow,
  { workflow, assistant, for: person, age }: RunFilters,
  words: readonly string[],
  now: number,
): boolean {
  if (workflow !== undefined && row.workflow !== workflow) return false;
  if (assistant !== undefined && withoutVersion(row.now?.client) !== assistant) return false;
  if (person !== undefined && !(row.now?.waitingFor ?? "").includes(person)) return false;
  if (age !== undefined && !(now - Date.parse(row.changed ?? "") > Number(age) * 86_400_000)) return false;
  if (words.length === 0) return true;
  const text = `${row.title} ${row.workflow} ${row.run ?? ""} ${row.now?.label ?? ""} ${row.stands}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function withoutVersion(client: string | undefined): string | undefined {
  return client?.replace(/\s+\d\S*$/, "");
}

/** The names in the words that say for whom a run waits. */
function peopleIn(waitingFor: string): readonly string[] {
  const [names = ""] = waitingFor.split(/ \(|;/);
  return names.split(/, | or /).filter((name) => name !== "" && !/^(?:a person|\d+ people)$/.test(name));
}

function choicesIn(all: readonly RunRow[]): RunList["choices"] {
  const workflows = new Set(all.map(({ workflow }) => workflow));
  const clients = new Set(all.map(({ now }) => now?.client));
  const waiting = new Set(all.flatMap(({ now }) => now?.waitingFor ?? []));
  const assistants = new Set([...clients].flatMap((client) => withoutVersion(client) ?? []));
  const people = new Set([...waiting].flatMap(peopleIn));
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
