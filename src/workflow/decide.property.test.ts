import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wholeOr } from "../../test/whole.ts";
import { digestOf } from "../evidence/json.ts";
import type { Command } from "./command.ts";
import { decide } from "./decide.ts";
import { type Desk, emptyDesk, isSatisfied } from "./desk.ts";
import type { Event, StepRef } from "./events.ts";
import type { Outcome } from "./outcome.ts";
import { type FoundState, reconcile } from "./reconcile.ts";
import { replay } from "./replay.ts";
import { locate, mayBeShown } from "./route.ts";
import type { Manner, Plan } from "./workflow.ts";

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
/** The two ways in which plans are walked. */
const manners: readonly Manner[] = [
  {
    completing: "leaves the next",
    ahead: "names",
    view: "obeyed",
    definition: "live",
    unrecorded: "held",
    resuming: "asks",
    outOfTurn: "action_sequence_violation",
  },
  {
    completing: "opens the next",
    ahead: "number",
    view: "undone",
    definition: "pinned",
    unrecorded: "refused",
    resuming: "says",
    outOfTurn: "phase_sequence_violation",
  },
];

const plans: fc.Arbitrary<Plan> = fc
  .record({ workflows, ordered: fc.boolean(), manner: fc.constantFrom(...manners) })
  .map(({ workflows, ordered, manner }) =>
    manner.completing === "leaves the next"
      ? { name: "bot", independent: ["correct"], manner, workflows, ordered }
      : { name: "session", independent: [], manner, workflows: workflows.slice(0, 1), ordered: false },
  );

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
    handed: fc.constantFrom(
      {},
      { evidence: { proof: true } },
      { evidence: { proof: "true" } },
      { outputs: { a: 1 } },
      { outputs: { a: 2, b: 1 }, evidence: { proof: true } },
    ),
    fingerprint: fc.constantFrom("f1", "f2", "f3"),
  }),
  fc.record({ kind: fc.constantFrom("agree" as const, "decline" as const, "unanswered" as const) }),
  fc.constant({ kind: "archive" as const }),
  fc.record({ kind: fc.constant("back" as const), workflow: maybe(anyWorkflow), step: anyStep }),
  fc.record({
    kind: fc.constant("edit" as const),
    workflow: maybe(anyWorkflow),
    step: maybe(anyStep),
    state: maybe(fc.constantFrom("started" as const, "completed" as const)),
    completed: fc.array(anyStep.map((step) => ({ step }))),
  }),
);
type Move = { who: "a" | "b"; command: typeof commands extends fc.Arbitrary<infer T> ? T : never };
const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.record({ who: fc.constantFrom("a" as const, "b" as const), command: commands }),
  {
    maxLength: 40,
  },
);

function withoutUndefined<T extends object>(value: object): T {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as T;
}

type Transition = {
  before: Desk;
  events: readonly Event[];
  after: Desk;
  by: "decision" | "edit";
  outcome?: Outcome;
};

/** Plays moves by two callers and shows every transition to the observer. */
function play(plan: Plan, played: Move[], observe: (step: Transition) => void): { desk: Desk; events: Event[] } {
  let desk = emptyDesk;
  const events: Event[] = [];
  /** The last hand-in that waited for a person. */
  let waiting: (Outcome & { kind: "awaiting" }) | undefined;
  const enter = (step: Transition): void => {
    observe(step);
    events.push(...step.events);
    desk = step.after;
  };
  const apply = (command: Command, who: string, now: string): void => {
    const { events: facts, outcome } = decide(command, { plan, desk, caller: { id: who }, now });
    if (outcome.kind === "awaiting") waiting = outcome;
    enter({ before: desk, events: facts, after: replay(facts, desk), by: "decision", outcome });
  };
  if (plan.manner.definition === "pinned") {
    const [{ name, steps } = { name: "", steps: [] }] = plan.workflows;
    const facts = { workflow: name, target: null, options: {}, definition: "d", first: 1, total: steps.length };
    apply({ kind: "begin", facts }, "a", new Date(Date.UTC(2025, 0, 1)).toISOString());
  }
  played.forEach(({ who, command }, tick) => {
    const now = new Date(Date.UTC(2026, 0, 1, 0, 0, tick)).toISOString();
    if (command.kind === "edit") {
      const { kind: _, ...said } = command;
      const settled = reconcile(
        { kind: "foreign", file: withoutUndefined<FoundState>(said) },
        { plan, desk, hasHistory: events.length > 0, externalEdits: "obey", stamp: { at: now, by: who } },
      );
      enter({ before: desk, events: settled.events, after: replay(settled.events, desk), by: "edit" });
    } else if (command.kind === "agree" || command.kind === "decline" || command.kind === "unanswered") {
      if (waiting === undefined) return;
      const about = { ref: waiting.ref, digest: waiting.digest };
      const word = { level: "elicited", text: "yes" } as const;
      const agree: Command = { kind: "complete", handed: {}, fingerprint: "f4", word, agreed: about };
      apply(command.kind === "agree" ? agree : { kind: command.kind, ...about }, who, now);
    } else if (command.kind !== "archive" || plan.manner.definition === "pinned") {
      apply(withoutUndefined<Command>(command), who, now);
    }
  });
  return { desk, events };
}

const check = (property: fc.IProperty<[Plan, Move[]]>): void => fc.assert(property, { numRuns: wholeOr(20_000, 400) });

describe("whatever callers send, in whatever order", () => {
  test("no step is opened whose predecessor is not satisfied", () => {
    check(
      fc.property(plans, moves, (plan, played) => {
        play(plan, played, ({ before, events, by }) => {
          if (by === "edit") return;
          for (const [at, event] of events.entries()) {
            if (event.type !== "started") continue;
            const workflow = plan.workflows.find(({ name }) => name === event.workflow);
            const known = replay(events.slice(0, at), before).runs.get(event.workflow);
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
          const but = { asides: null, changedAt: null };
          expect({ ...after, ...but }).toEqual({ ...before, ...but });
        });
      }),
    );
  });

  test("no outcome is about a step that may not be shown", () => {
    check(
      fc.property(plans, moves, (plan, played) => {
        play(plan, played, ({ after, outcome }) => {
          if (outcome === undefined) return;
          const opens = plan.manner.completing === "opens the next" && outcome.kind === "completed";
          const named = outcome.kind === "refused" ? outcome.current : "ref" in outcome ? outcome.ref : null;
          for (const ref of [named, opens ? outcome.next : null])
            if (ref !== null) expect(mayBeShown(plan, after, ref.workflow, ref.step)).toBe(true);
        });
      }),
    );
  });

  test("where only the number of steps may be known, no refusal names one that is not open", () => {
    check(
      fc.property(plans, moves, (plan, played) => {
        play(plan, played, ({ outcome }) => {
          if (plan.manner.ahead !== "number" || outcome?.kind !== "refused") return;
          expect(["unknown_step", "not_opened"]).not.toContain(outcome.refusal.kind);
        });
      }),
    );
  });

  test("what is handed in stays handed in until the attempt ends", () => {
    check(
      fc.property(plans, moves, (plan, played) => {
        play(plan, played, ({ before, after, by }) => {
          if (by === "edit") return;
          for (const run of before.runs.values()) {
            const now = after.runs.get(run.workflow);
            for (const [name, state] of run.steps) {
              const later = now?.pass === run.pass ? now.steps.get(name) : undefined;
              if (later?.attempt !== state.attempt) continue;
              expect(Object.keys(later.handed.outputs ?? {})).toEqual(
                expect.arrayContaining(Object.keys(state.handed.outputs ?? {})),
              );
            }
          }
        });
      }),
    );
  });

  test("a person's yes counts for the very hand-in that they were asked about, and after a no only another yes of theirs does", () => {
    check(
      fc.property(plans, moves, (plan, played) => {
        const declined = new Set<string>();
        const keyOf = ({ workflow, step, digest = "" }: StepRef & { digest?: string }): string =>
          JSON.stringify([workflow, step, digest]);
        play(plan, played, ({ events }) => {
          for (const event of events) {
            if (event.type === "declined") declined.add(keyOf(event));
            if (event.type !== "completed" || event.word.level === "auto") continue;
            const { outputs = {}, evidence = {} } = event;
            expect(event.digest).toBe(digestOf({ outputs, evidence, content: {} }));
            if (event.word.level === "relayed") expect(declined.has(keyOf(event))).toBe(false);
          }
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
            expect(step?.auto ? ["auto"] : ["relayed", "elicited"]).toContain(event.word.level);
          }
        });
      }),
    );
  });
});

test("nobody goes back to a step that lies ahead: an edit vouched for it, and the gate before it is still to pass", () => {
  const [manner] = manners;
  if (manner === undefined) throw new Error("no manner");
  const steps = stepNames.slice(0, 3).map((name) => ({ name, auto: false, ...(name === "gather" ? { gate } : {}) }));
  const plan: Plan = { name: "bot", independent: [], manner, workflows: [{ name: "shape", steps }], ordered: false };
  const seen: Outcome[] = [];
  play(
    plan,
    [
      { who: "a", command: { kind: "edit", workflow: "shape", step: "build", state: undefined, completed: [] } },
      { who: "a", command: { kind: "back", workflow: undefined, step: "decide" } },
      { who: "a", command: { kind: "open", workflow: undefined, step: "decide", resume: "retry" } },
    ],
    ({ outcome }) => {
      if (outcome !== undefined) seen.push(outcome);
    },
  );
  expect(seen).toMatchObject([{ kind: "refused", refusal: { kind: "ahead", at: "gather" } }, { kind: "review" }]);
});
