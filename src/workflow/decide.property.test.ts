import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Caller, Command } from "./command.ts";
import { decide } from "./decide.ts";
import { type Desk, emptyDesk, isSatisfied } from "./desk.ts";
import type { Event } from "./events.ts";
import { type FoundState, reconcile } from "./reconcile.ts";
import { replay } from "./replay.ts";
import { locate } from "./route.ts";
import type { Plan } from "./workflow.ts";

const stepNames = ["gather", "decide", "build", "render", "validate"];
const gate = {
  requirements: [{ field: "proof", type: "boolean", required: true, description: "it is proved", rules: [] }],
  comparisons: [],
  examples: {},
  rulesHold: false,
  approval: false,
} as const;

const workflows = fc.uniqueArray(fc.constantFrom("shape", "discovery", "tests"), { minLength: 1 }).chain((names) =>
  fc.tuple(
    ...names.map((name) =>
      fc
        .array(fc.record({ auto: fc.boolean(), skip: fc.boolean(), gated: fc.boolean() }), {
          minLength: 1,
          maxLength: 5,
        })
        .map((steps) => ({
          name,
          steps: steps.map(({ auto, skip, gated }, index) => ({
            name: stepNames[index] ?? "",
            auto,
            ...(skip && index > 0 ? { skip: "not needed" } : {}),
            ...(gated ? { gate } : {}),
          })),
        })),
    ),
  ),
);
const plans: fc.Arbitrary<Plan> = fc
  .record({ workflows, ordered: fc.boolean() })
  .map((parts) => ({ name: "bot", independent: ["correct"], ...parts }));

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const anyStep = fc.constantFrom(...stepNames, "correct", "nonsense");
const anyWorkflow = fc.constantFrom("shape", "discovery", "tests", "nowhere");
const commands = fc.oneof(
  fc.record({
    kind: fc.constant("open" as const),
    workflow: maybe(anyWorkflow),
    step: maybe(anyStep),
    resume: maybe(fc.constantFrom("retry" as const, "continue" as const, "restart" as const)),
  }),
  fc.record({
    kind: fc.constant("complete" as const),
    workflow: maybe(anyWorkflow),
    step: maybe(anyStep),
    word: maybe(fc.constant({ level: "relayed" as const, text: "yes" })),
    handed: fc.constantFrom({}, { evidence: { proof: true } }, { evidence: { proof: "true" } }, { outputs: { a: 1 } }),
    fingerprint: fc.constantFrom("f1", "f2", "f3"),
  }),
  fc.record({ kind: fc.constant("back" as const), workflow: maybe(anyWorkflow), step: anyStep }),
  fc.record({
    kind: fc.constant("edit" as const),
    behavior: maybe(anyWorkflow),
    action: maybe(anyStep),
    state: maybe(fc.constantFrom("started" as const, "completed" as const)),
    completed: fc.array(anyStep.map((action) => ({ action }))),
  }),
);
type Move = { who: "a" | "b"; command: typeof commands extends fc.Arbitrary<infer T> ? T : never };
const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.record({ who: fc.constantFrom("a" as const, "b" as const), command: commands }),
  {
    maxLength: 40,
  },
);

function withoutUndefined<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as T;
}

/** Plays moves by two callers and shows every transition to the observer. */
function play(
  plan: Plan,
  played: Move[],
  observe: (step: {
    before: Desk;
    events: readonly Event[];
    after: Desk;
    refusal?: string;
    by: "decision" | "edit";
  }) => void,
): { desk: Desk; events: Event[] } {
  let desk = emptyDesk;
  const events: Event[] = [];
  const opened = new Map<string, Caller["opened"]>();
  played.forEach(({ who, command }, tick) => {
    const now = new Date(Date.UTC(2026, 0, 1, 0, 0, tick)).toISOString();
    if (command.kind === "edit") {
      const file = withoutUndefined<FoundState>({
        behavior: command.behavior,
        action: command.action,
        state: command.state,
        completed: command.completed,
      });
      const settled = reconcile(
        { kind: "foreign", file },
        { plan, desk, hasHistory: events.length > 0, externalEdits: "obey", now, by: who },
      );
      const after = replay(settled.events, desk);
      observe({ before: desk, events: settled.events, after, by: "edit" });
      events.push(...settled.events);
      desk = after;
      return;
    }
    const caller = { id: who, opened: opened.get(who) ?? null, openedAside: null };
    const decision = decide(withoutUndefined<Command>(command), { plan, desk, caller, now });
    const after = replay(decision.events, desk);
    const refusal = decision.outcome.kind === "refused" ? decision.outcome.refusal : undefined;
    observe({
      before: desk,
      events: decision.events,
      after,
      by: "decision",
      ...(refusal === undefined ? {} : { refusal: `${refusal.error}|${refusal.message}|${refusal.required_action}` }),
    });
    if (decision.outcome.kind === "opened") opened.set(who, decision.outcome.ref);
    events.push(...decision.events);
    desk = after;
  });
  return { desk, events };
}

const check = (property: fc.IProperty<[Plan, Move[]]>): void => fc.assert(property, { numRuns: 400 });

describe("whatever callers send, in whatever order", () => {
  test("no step is opened whose predecessor is not satisfied", () => {
    check(
      fc.property(plans, moves, (plan, played) => {
        play(plan, played, ({ before, events, by }) => {
          if (by === "edit") return;
          for (const event of events) {
            if (event.type !== "started") continue;
            const workflow = plan.workflows.find(({ name }) => name === event.workflow);
            const known = before.runs.get(event.workflow);
            const run = known?.pass === event.pass ? known : undefined;
            const index = workflow?.steps.findIndex(({ name }) => name === event.step) ?? -1;
            for (const earlier of workflow?.steps.slice(0, index) ?? []) {
              expect(earlier.skip !== undefined || isSatisfied(run?.steps.get(earlier.name))).toBe(true);
            }
          }
        });
      }),
    );
  });

  test("replaying the events gives the same state", () => {
    check(
      fc.property(plans, moves, (plan, played) => {
        const { desk, events } = play(plan, played, () => {});
        expect(replay(JSON.parse(JSON.stringify(events)))).toEqual(desk);
      }),
    );
  });

  test("the history only grows, except where a person's edit says otherwise", () => {
    check(
      fc.property(plans, moves, (plan, played) => {
        play(plan, played, ({ before, after, by }) => {
          if (by === "decision") expect(after.completedCount).toBeGreaterThanOrEqual(before.completedCount);
          for (const [workflow, pass] of before.passes) expect(after.passes.get(workflow)).toBeGreaterThanOrEqual(pass);
        });
      }),
    );
  });

  test("an independent step never moves the position", () => {
    check(
      fc.property(plans, moves, (plan, played) => {
        play(plan, played, ({ before, events, after }) => {
          if (!events.some(({ type }) => type.startsWith("aside_"))) return;
          expect({ ...after, asides: null }).toEqual({ ...before, asides: null });
        });
      }),
    );
  });

  test("every refusal names what to do", () => {
    check(
      fc.property(plans, moves, (plan, played) => {
        play(plan, played, ({ refusal }) => {
          if (refusal !== undefined) expect(refusal).toMatch(/^[a-z_]+\|.{10,}\|.{10,}$/s);
        });
      }),
    );
  });

  test("a gate is passed by evidence and by nothing else, an edit included", () => {
    check(
      fc.property(plans, moves, (plan, played) => {
        const proved = new Set<string>();
        play(plan, played, ({ events, after }) => {
          for (const event of events) {
            if (event.type === "completed" && event.evidence?.proof === true) {
              proved.add(JSON.stringify([event.workflow, event.pass, event.step]));
            }
          }
          for (const workflow of plan.workflows) {
            const { run } = locate(after, workflow);
            for (const step of workflow.steps) {
              const state = run.steps.get(step.name);
              if (step.gate === undefined || state?.status === "skipped" || !isSatisfied(state)) continue;
              expect(proved.has(JSON.stringify([workflow.name, run.pass, step.name]))).toBe(true);
            }
          }
        });
      }),
    );
  });

  test("a step completes only once it was started, and with a person's word unless it goes on by itself", () => {
    check(
      fc.property(plans, moves, (plan, played) => {
        play(plan, played, ({ before, events }) => {
          for (const event of events) {
            if (event.type !== "completed") continue;
            const state = before.runs.get(event.workflow)?.steps.get(event.step);
            expect(state?.status).toBe("started");
            const step = plan.workflows
              .find(({ name }) => name === event.workflow)
              ?.steps.find(({ name }) => name === event.step);
            expect(event.word.level).toBe(step?.auto ? "auto" : "relayed");
          }
        });
      }),
    );
  });
});
