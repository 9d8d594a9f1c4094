import type { VNode } from "preact";
import type { RunRow } from "../../api/board-data.ts";
import { go, type RunFilters } from "../board/location.ts";
import { visibleText } from "../shared/untrusted-text.tsx";
import { assistantOf } from "./filter-runs.ts";

type FilterName = "workflow" | "assistant" | "for" | "age" | "sort";

type Choice = readonly [value: string, name: string];

const ages: readonly Choice[] = [
  ["1", "idle for a day"],
  ["7", "idle for a week"],
  ["30", "idle for a month"],
];

const orders: readonly Choice[] = [
  ["latest", "latest activity"],
  ["oldest", "oldest activity"],
  ["name", "name"],
  ["refused", "most refused"],
];

/** Chooses which runs are listed and in which order; a filter with one choice is left out. */
export function Filters({ rows, filters }: { readonly rows: readonly RunRow[]; readonly filters: RunFilters }): VNode {
  const workflows = distinct(rows.map(({ workflow }) => workflow));
  const assistants = distinct(rows.flatMap((row) => assistantOf(row) ?? []));
  const people = distinct(rows.flatMap(({ now }) => peopleIn(now?.waitingFor ?? "")));
  const all: readonly (readonly [FilterName, string, string, readonly Choice[]])[] = [
    ["workflow", "Workflow", "all workflows", workflows],
    ["assistant", "Assistant", "all assistants", assistants],
    ["for", "Waiting for", "anyone", people],
    ["age", "Age", "any age", ages],
    ["sort", "Sort by", "need", orders],
  ];
  return (
    <div class="filters">
      {all.map(([name, label, none, choices]) =>
        choices.length < 2 && filters[name] === undefined ? null : (
          <label key={name} class="small">
            {label}{" "}
            <select
              value={filters[name] ?? ""}
              onChange={({ currentTarget }) => go({ ...filters, view: "runs", [name]: currentTarget.value }, true)}
            >
              <option value="">{none}</option>
              {choices.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
          </label>
        ),
      )}
    </div>
  );
}

/** The most choices that a filter offers. */
const most = 50;

function distinct(values: readonly string[]): readonly Choice[] {
  return [...new Set(values)]
    .sort()
    .slice(0, most)
    .map((value) => [value, visibleText(value, 60)]);
}

/** The names in the words that say for whom a run waits. */
function peopleIn(waitingFor: string): readonly string[] {
  const [names = ""] = waitingFor.split(/ \(|;/);
  return names.split(/, | or /).filter((name) => name !== "" && !/^(?:a person|\d+ people)$/.test(name));
}
