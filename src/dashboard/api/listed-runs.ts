import { sortedList } from "../../kit/sorted-list.ts";
import { byNeed, compareText } from "../overview/by-need.ts";
import { countByCondition } from "../overview/conditions.ts";
import type { RunList, RunRow } from "./board-data.ts";

/** All runs by need, but for items, which are shown with their parents; and what a page says of all of them. */
export type ListedRuns = Pick<RunList, "counts" | "records" | "choices" | "times"> & {
  readonly byNeed: readonly RunRow[];
};

/** The most choices that a filter offers. */
const mostChoices = 50;

/** Keeps that list while rows come and go: one change must not cost more the more runs there are. */
export function listedRuns() {
  const ordered = sortedList<RunRow>((one, other) => byNeed(one, other) || compareText(one.key, other.key));
  const counts = { ...countByCondition([]) };
  const [workflows, clients, waitedFor] = [countedNames(), countedNames(), countedNames()];
  const [waits, working, quiet] = [sortedList<string>(), sortedList<string>(), sortedList<string>()];
  let records = 0;
  let list: ListedRuns | undefined;
  const change = (row: RunRow | undefined, how: "add" | "remove"): void => {
    if (row === undefined || row.itemOf !== undefined) return;
    const by = how === "add" ? 1 : -1;
    list = undefined;
    ordered[how](row);
    counts[row.stands] += by;
    records += by * row.records;
    workflows.count(row.workflow, by);
    clients.count(row.now?.client, by);
    waitedFor.count(row.now?.waitingFor, by);
    const { stands, changed } = row;
    const at = stands === "waits" ? row.now?.waitingSince : changed;
    const times = { waits, working, quiet, stuck: undefined, finished: undefined, archived: undefined }[stands];
    if (typeof at === "string") times?.[how](at);
  };
  return {
    add: (row: RunRow | undefined): void => change(row, "add"),
    remove: (row: RunRow | undefined): void => change(row, "remove"),
    /** The list as it is now: the same one until a row changes. */
    now(): ListedRuns {
      list ??= {
        ...{ byNeed: ordered.values(), counts: { ...counts }, records },
        choices: {
          workflow: firstNames(workflows.names()),
          assistant: firstNames(clients.names().map(withoutVersion)),
          for: firstNames(waitedFor.names().flatMap(peopleIn)),
        },
        times: {
          waits: waits.values().at(0) ?? null,
          working: working.values().at(-1) ?? null,
          quiet: quiet.values().at(-1) ?? null,
        },
      };
      return list;
    },
  };
}

/** The name of a client without its version. */
export function withoutVersion(client: string): string {
  return client.replace(/\s+\d\S*$/, "");
}

/** The people in the words that say for whom a run waits. */
function peopleIn(waitingFor: string): readonly string[] {
  const [names = ""] = waitingFor.split(/ \(|;/);
  return names.split(/, | or /).filter((name) => name !== "" && !/^(?:a person|\d+ people)$/.test(name));
}

/** Each name once, with how many rows have it. */
function countedNames() {
  const counts = new Map<string, number>();
  return {
    count(name: string | undefined, by: number): void {
      if (name === undefined) return;
      const count = (counts.get(name) ?? 0) + by;
      if (count === 0) counts.delete(name);
      else counts.set(name, count);
    },
    names: (): readonly string[] => [...counts.keys()],
  };
}

function firstNames(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort().slice(0, mostChoices);
}
