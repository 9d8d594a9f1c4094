import type { ComponentChildren, VNode } from "preact";
import type { RunFilters, RunList } from "../../api/board-data.ts";
import { go } from "../board/location.ts";
import { visibleText } from "../shared/untrusted-text.tsx";

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
export function Filters(given: {
  readonly choices: RunList["choices"];
  readonly filters: RunFilters;
  /** The search. */
  readonly children: ComponentChildren;
}): VNode {
  const { choices, filters, children } = given;
  const all: readonly (readonly [FilterName, string, string, readonly Choice[]])[] = [
    ["workflow", "Workflow", "all workflows", named(choices.workflow)],
    ["assistant", "Assistant", "all assistants", named(choices.assistant)],
    ["for", "Waiting for", "anyone", named(choices.for)],
    ["age", "Age", "any age", ages],
    ["sort", "Sort by", "need", orders],
  ];
  return (
    <div class="filters">
      {all.map(([name, label, none, own]) =>
        own.length < 2 && filters[name] === undefined ? null : (
          <label key={name} class="small">
            {label}{" "}
            <select
              value={filters[name] ?? ""}
              onChange={({ currentTarget }) =>
                go({ ...filters, view: "runs", [name]: currentTarget.value, page: "" }, true)
              }
            >
              <option value="">{none}</option>
              {own.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
          </label>
        ),
      )}
      {children}
    </div>
  );
}

function named(values: readonly string[]): readonly Choice[] {
  return values.map((value) => [value, visibleText(value, 60)]);
}
