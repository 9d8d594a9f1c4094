import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { moves, plans, play, steadyMoves } from "../../test/play.ts";
import { wholeOr } from "../../test/whole.ts";
import { replayRoutes } from "../audit/replay-routes.ts";
import type { Condition } from "../gates/condition.ts";
import { judgeCondition } from "../gates/judge-condition.ts";
import type { Json } from "../kit/json.ts";
import type { Event } from "./events.ts";
import { mayBeShown } from "./position.ts";

const numRuns = wholeOr(10_000, 200);
const walks = fc.oneof(moves, { weight: 2, arbitrary: steadyMoves });

describe("for all workflows with conditions and routes, and all calls in any order", () => {
  test("deciding every route again from the record finds nothing wrong", () => {
    fc.assert(
      fc.property(plans, walks, (plan, played) => {
        const work = played.filter(({ command: { kind } }) => kind !== "edit" && kind !== "delete");
        const { desk: stream, events } = play(plan, work, () => {});
        for (const workflow of plan.workflows) {
          const run = stream.runs.get(workflow.name);
          if (run === undefined) continue;
          expect(replayRoutes(run, events, [{ workflow, plan }], (step) => step).problems).toEqual([]);
        }
      }),
      { numRuns },
    );
  });

  test("a record whose routes were changed is found out", () => {
    fc.assert(
      fc.property(plans, walks, fc.nat(), (plan, played, which) => {
        const work = played.filter(({ command: { kind } }) => kind !== "edit" && kind !== "delete");
        const { desk: stream, events } = play(plan, work, () => {});
        for (const workflow of plan.workflows) {
          const run = stream.runs.get(workflow.name);
          const isRoute = (event: Event): boolean =>
            "workflow" in event &&
            event.workflow === workflow.name &&
            "pass" in event &&
            event.pass === run?.pass &&
            (event.type === "passed_over" || (event.type === "went_back" && event.from !== undefined));
          const routes = events.filter(isRoute);
          if (run === undefined || routes.length === 0) continue;
          const gone = routes[which % routes.length];
          const isAnswered = events.some((event) => event.type === "answered" && event.at === gone?.at);
          const isAfterCompletion = events.some((event) => event.type === "completed" && event.at === gone?.at);
          if (isAnswered || !isAfterCompletion) continue;
          const forged = events.filter((event) => event !== gone);
          expect(replayRoutes(run, forged, [{ workflow, plan }], (step) => step).problems).not.toEqual([]);
        }
      }),
      { numRuns },
    );
  });

  test("no route is taken more often than it may be, unless a person allowed it", () => {
    fc.assert(
      fc.property(plans, walks, (plan, played) => {
        const { events } = play(plan, played, () => {});
        const taken = new Map<string, number>();
        for (const event of events) {
          if (event.type === "began_anew") taken.clear();
          if (event.type !== "went_back" || event.from === undefined || event.route === undefined) continue;
          const isAllowed = events.some((one) => one.type === "answered" && one.at === event.at);
          const { workflow: name, pass, from, route } = event;
          const key = JSON.stringify([name, pass, from, route]);
          taken.set(key, (taken.get(key) ?? 0) + (isAllowed ? 0 : 1));
          const workflow = plan.workflows.find((one) => one.name === name);
          const { atMost = 0 } = workflow?.steps.find((step) => step.name === from)?.routing?.routes?.[route] ?? {};
          expect(taken.get(key)).toBeLessThanOrEqual(atMost);
        }
      }),
      { numRuns },
    );
  });

  test("a step that was passed over is shown to nobody", () => {
    fc.assert(
      fc.property(plans, walks, (plan, played) => {
        play(plan, played, ({ after }) => {
          for (const { workflow, steps } of after.runs.values())
            for (const [step, { status }] of steps)
              if (status === "passed_over") expect(mayBeShown(plan, after, workflow, step)).toBe(false);
        });
      }),
      { numRuns },
    );
  });
});

const value: fc.Arbitrary<Json> = fc.oneof(
  fc.integer({ min: -2, max: 2 }),
  fc.constantFrom("a", "b", "1", true, false, null),
  fc.constant([1, 2]),
);
const signs = ["at_least", "more_than", "at_most", "less_than", "equal_to", "different_from"] as const;
const operand = fc.oneof(
  fc.constantFrom({ field: "x" }, { field: "y", step: "one" }, { field: "z", step: "gone" }, { input: "i" }),
  fc.constantFrom({ value: 1 }, { value: "a" }, { value: true }),
);
const comparison = fc.record({ left: operand, is: fc.constantFrom(...signs), right: operand });
const condition: fc.Arbitrary<Condition> = fc.oneof(
  comparison,
  fc.record({ all: fc.array(comparison, { minLength: 1, maxLength: 3 }) }),
  fc.record({ any: fc.array(comparison, { minLength: 1, maxLength: 3 }) }),
);

test("a condition that reads a value that is not on record, or compares two types, is neither true nor false", () => {
  fc.assert(
    fc.property(comparison, value, value, value, (one, x, y, i) => {
      const facts = {
        evidence: { x },
        inputs: { i },
        evidenceOf: (step: string) => (step === "one" ? { y } : undefined),
        roundsOf: () => 0,
      };
      const values = [one.left, one.right].map((side): Json => {
        if ("value" in side) return side.value;
        if ("input" in side) return i;
        return "step" in side ? (side.step === "one" ? y : null) : x;
      });
      const [a, b] = values.map((one) => (one === null || typeof one === "object" ? undefined : typeof one));
      const isOrder = one.is !== "equal_to" && one.is !== "different_from";
      const isKnown = a !== undefined && a === b && (!isOrder || a === "number");
      expect(judgeCondition(one, facts).holds === undefined).toBe(!isKnown);
    }),
    { numRuns },
  );
});

test("all of several is unknown only where none is false, any only where none is true", () => {
  fc.assert(
    fc.property(condition, value, (one, x) => {
      const facts = { evidence: { x }, inputs: {}, evidenceOf: () => undefined, roundsOf: () => 0 };
      if ("left" in one) return;
      const parts = ("all" in one ? one.all : one.any).map((part) => judgeCondition(part, facts).holds);
      const decisive = "any" in one;
      const expected = parts.includes(decisive) ? decisive : parts.includes(undefined) ? undefined : !decisive;
      expect(judgeCondition(one, facts).holds).toBe(expected);
    }),
    { numRuns },
  );
});
