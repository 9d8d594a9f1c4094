import { expect, it } from "vitest";
import type { RunRow } from "../../api/board-data.ts";
import { href, parseLocation } from "../board/location.ts";
import { filterRuns } from "./filter-runs.ts";

const now = Date.parse("2026-11-19T12:00:00.000Z");
const row = (title: string, more: Partial<RunRow>): RunRow => ({
  ...{ key: title, kind: "session", title, workflow: "review", stands: "working", map: [], refusals: 0 },
  ...{
    completed: 0,
    steps: 2,
    changed: "2026-11-19T11:00:00.000Z",
    records: 1,
    head: "",
    evidence: { found: 0, agrees: 0, differs: 0, word: 0 },
  },
  ...more,
});
const step = { workflow: "review", step: "1", label: "Phase 1: Read" };
const rows = [
  row("b.md", { now: { ...step, client: "claude-code 2.1.4" } }),
  row("a.md", { workflow: "release", refusals: 3, changed: "2026-11-10T11:00:00.000Z" }),
  row("c.md", {
    stands: "waits",
    now: { ...step, waitingSince: "2026-11-19T10:00:00.000Z", waitingFor: "dana or lee (proven)" },
  }),
];
const titles = (filters: object): readonly string[] =>
  filterRuns(rows, filters, now).flatMap((item) => ("row" in item ? [item.row.title] : []));

it("runs are listed by need, or in the order that is chosen", () => {
  expect(titles({})).toEqual(["c.md", "b.md", "a.md"]);
  expect(titles({ sort: "name" })).toEqual(["a.md", "b.md", "c.md"]);
  expect(titles({ sort: "refused" })[0]).toBe("a.md");
});

it("runs are filtered by workflow, assistant, person, age, condition and words", () => {
  expect(titles({ workflow: "release" })).toEqual(["a.md"]);
  expect(titles({ assistant: "claude-code" })).toEqual(["b.md"]);
  expect(titles({ for: "lee" })).toEqual(["c.md"]);
  expect(titles({ age: "7" })).toEqual(["a.md"]);
  expect(titles({ stands: "waits" })).toEqual(["c.md"]);
  expect(titles({ q: "B. read" })).toEqual(["b.md"]);
});

it("the filters are in the address", () => {
  const filters = { view: "runs", workflow: "a & b", sort: "name", q: "x" } as const;
  expect(parseLocation(href(filters))).toEqual(filters);
  expect(parseLocation("#/runs?other=1")).toEqual({ view: "runs" });
});
