import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Counted, count, type TracedTool, traceAll } from "../../scripts/trace-run.mjs";

type State = "warm" | "rested";
type Ceilings = Record<TracedTool, Record<State, Partial<Counted>>>;
type Numbers = Record<TracedTool, Record<State, Counted>>;

/** The only place for these numbers. Lower one when the code allows it; raise one only with a reason in the commit. */
const ceilings: Ceilings = JSON.parse(readFileSync(join(import.meta.dirname, "ceilings.json"), "utf8"));
const tools = Object.keys(ceilings) as TracedTool[];
const states: readonly State[] = ["warm", "rested"];

/** In milliseconds: a call that is answered later than this after the one before it is no longer warm. */
const warmth = 1500;
const warmOnce = new Set<TracedTool>();

async function measure(): Promise<Numbers> {
  const traced = await traceAll();
  for (const tool of tools) if (traced[tool].warm.since < warmth) warmOnce.add(tool);
  const numbers = tools.map((tool) => [tool, { warm: count(traced[tool].warm), rested: count(traced[tool].rested) }]);
  return Object.fromEntries(numbers);
}

function least(one: Numbers, other: Numbers): Numbers {
  const lower = (a: Counted, b: Counted): Counted =>
    Object.fromEntries(
      Object.entries(a).map(([name, number]) => [name, Math.min(number, b[name as keyof Counted])]),
    ) as Counted;
  const both = tools.map((tool) => [
    tool,
    { warm: lower(one[tool].warm, other[tool].warm), rested: lower(one[tool].rested, other[tool].rested) },
  ]);
  return Object.fromEntries(both);
}

/** Every number that is above its ceiling. */
function above(numbers: Numbers): readonly string[] {
  return tools.flatMap((tool) =>
    states.flatMap((state) =>
      Object.entries(ceilings[tool][state]).flatMap(([name, ceiling]) => {
        const number = numbers[tool][state][name as keyof Counted];
        // A machine on which no call came in time says nothing about what a warm call reads.
        if (state === "warm" && !warmOnce.has(tool) && !["files", "changes"].includes(name)) return [];
        return number <= ceiling ? [] : [`${tool} (${state}): ${name} is ${number}, its ceiling ${ceiling}`];
      }),
    ),
  );
}

test("a call passes no more files, rooms and definition files than its ceilings allow", async () => {
  let numbers = await measure();
  // On a busy machine work of before can fall into a call: the least of several looks is what the call needs.
  for (let look = 1; look < 6 && above(numbers).length > 0; look++) numbers = least(numbers, await measure());
  for (const tool of tools) process.stdout.write(`${tool}: ${JSON.stringify(numbers[tool])}\n`);
  expect(above(numbers)).toEqual([]);
  for (const tool of tools) expect(numbers[tool].warm.files, "nothing was recorded").toBeGreaterThan(5);
});
