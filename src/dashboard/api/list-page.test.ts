import { expect, it } from "vitest";
import type { RunRow } from "./board-data.ts";
import { listPage as pageOf } from "./list-page.ts";
import { listedRuns } from "./listed-runs.ts";

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
function listPage(all: readonly RunRow[], filters: object, at: number) {
  const list = listedRuns();
  for (const one of all) list.add(one);
  const { byNeed: _, ...ofAll } = list.now();
  return { ...ofAll, ...pageOf(list.now(), filters, at) };
}
const titles = (filters: object): readonly string[] => listPage(rows, filters, now).runs.map(({ title }) => title);

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

it("a page says what can be chosen, how many runs fit, and the times of all", () => {
  expect(listPage(rows, { workflow: "release" }, now)).toMatchObject({
    ...{ found: { working: 1, waits: 0 }, page: 1, pages: 1 },
    choices: { workflow: ["release", "review"], assistant: ["claude-code"], for: ["dana", "lee"] },
    times: { waits: "2026-11-19T10:00:00.000Z", working: "2026-11-19T11:00:00.000Z", quiet: null },
  });
});

it("a page of 10,000 runs is as large as one of 100, and no run is on two pages or none", () => {
  const many = Array.from({ length: 10_000 }, (_, at) => row(`file-${String(at).padStart(5, "0")}.ts`, {}));
  const size = (given: readonly RunRow[]): number => JSON.stringify(listPage(given, { sort: "name" }, now)).length;
  expect(size(many)).toBeLessThan(1.3 * size(many.slice(0, 100)));
  const some = many.slice(0, 950);
  const pages = Array.from({ length: 10 }, (_, at) => listPage(some, { sort: "name", page: String(at + 1) }, now));
  expect(pages.flatMap(({ runs }) => runs.map(({ title }) => title))).toEqual(some.map(({ title }) => title));
  for (const page of ["0", "-1", "x", "101", "1e9", ""]) expect(listPage(many, { page }, now).runs).toHaveLength(100);
});
