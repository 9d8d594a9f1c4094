import fc from "fast-check";
import type { Condition } from "../src/gates/condition.ts";
import type { Route, Routing } from "../src/gates/route.ts";
import type { Command } from "../src/workflow/command.ts";
import { decide } from "../src/workflow/decide.ts";
import type { Event } from "../src/workflow/events.ts";
import type { Outcome } from "../src/workflow/outcome.ts";
import { type ForeignPosition, reconcile } from "../src/workflow/reconcile.ts";
import { replay } from "../src/workflow/replay.ts";
import { emptyStream, type StreamSnapshot } from "../src/workflow/stream-snapshot.ts";
import type { Plan, Policy, Step, Workflow } from "../src/workflow/workflow.ts";

/** The names of the steps of played plans, in order. */
export const stepNames = ["gather", "decide", "build", "render", "validate"];

/** A gate that asks for one proof. */
export const gate = {
  requirements: [{ field: "proof", type: "boolean", required: true, description: "it is proved", rules: [] }],
  comparisons: [],
  examples: {},
  rulesHold: false,
  approval: false,
} as const;

/** A place among the earlier steps, and a count; often nothing. */
const routed = fc.option(fc.record({ at: fc.nat(4), count: fc.nat(2) }), { nil: undefined, freq: 2 });

type Routed = { readonly at: number; readonly count: number } | undefined;

/** Conditions and routes on `count`, a field that submissions have or lack. */
function routingAt(
  index: number,
  { when, back, end }: { readonly when: Routed; readonly back: Routed; readonly end: Routed },
): Pick<Step, "routing"> {
  const earlier = stepNames[(when?.at ?? 0) % Math.max(1, index)] ?? "";
  const target = stepNames[(back?.at ?? 0) % (index + 1)] ?? "";
  const counts = (count: number): Condition => ({ left: { field: "count" }, is: "more_than", right: { value: count } });
  const routes: Route[] = [
    ...(end === undefined ? [] : [{ when: counts(end.count), to: { end: "no-go" } }]),
    ...(back === undefined ? [] : [{ when: counts(back.count - 1), to: { back: target }, atMost: 1 + back.count }]),
  ];
  const passing: Routing =
    when === undefined || index === 0
      ? {}
      : { when: { left: { field: "count", step: earlier }, is: "at_least", right: { value: when.count } } };
  const routing = { ...passing, ...(routes.length === 0 ? {} : { routes }) };
  return Object.keys(routing).length === 0 ? {} : { routing };
}

const workflows = fc.uniqueArray(fc.constantFrom("shape", "discovery", "tests"), { minLength: 1 }).chain((names) =>
  fc.tuple(
    ...names.map((name) =>
      fc
        .array(
          fc.record({
            auto: fc.boolean(),
            skip: fc.boolean(),
            gated: fc.boolean(),
            when: routed,
            back: routed,
            end: routed,
          }),
          { minLength: 1, maxLength: 5 },
        )
        .map((steps) => ({
          name,
          ...(steps.some(({ end }) => end !== undefined) ? { outcomes: ["done", "no-go"] } : {}),
          steps: steps.map(({ auto, skip, gated, ...routing }, index) => ({
            name: stepNames[index] ?? "",
            auto,
            ...(skip && index > 0 ? { skip: "not needed" } : {}),
            ...(gated ? { gate } : {}),
            ...routingAt(index, routing),
          })),
        })),
    ),
  ),
);

/** The two ways in which plans are walked. */
export const policies: readonly Policy[] = [
  {
    onComplete: "leaves the next",
    aheadVisible: "names",
    onViewEdit: "obeyed",
    definition: "live",
    onUnrecorded: "held",
    onResume: "asks",
    outOfTurnCode: "action_sequence_violation",
  },
  {
    onComplete: "opens the next",
    aheadVisible: "number",
    onViewEdit: "undone",
    definition: "pinned",
    onUnrecorded: "refused",
    onResume: "says",
    outOfTurnCode: "phase_sequence_violation",
  },
];

/** Plans of a few workflows of a few steps. */
export const plans: fc.Arbitrary<Plan> = fc
  .record({ workflows, ordered: fc.boolean(), policy: fc.constantFrom(...policies) })
  .map(({ workflows, ordered, policy }) =>
    policy.onComplete === "leaves the next"
      ? { name: "bot", independent: ["correct"], policy, workflows, ordered }
      : {
          name: "session",
          independent: [],
          policy,
          workflows: workflows.slice(0, 1).map(asPhases),
          ordered: false,
        },
  );

/** Phases are never skipped. */
function asPhases({ steps, ...workflow }: Workflow): Workflow {
  return { ...workflow, steps: steps.map(({ skip: _, ...step }) => step) };
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const anyStep = fc.constantFrom(...stepNames, "correct", "nonsense");
const anyWorkflow = fc.constantFrom("shape", "discovery", "tests", "nowhere");
const pathOfStep = fc.tuple(anyWorkflow, anyStep).map(([workflow, step]) => `${workflow}.${step}`);
const opening = fc.record({
  kind: fc.constant("open" as const),
  workflow: maybe(anyWorkflow),
  step: maybe(anyStep),
  resume: maybe(fc.constantFrom("retry" as const, "continue" as const, "restart" as const)),
});
const completing = fc.record({
  kind: fc.constant("complete" as const),
  workflow: maybe(anyWorkflow),
  step: maybe(anyStep),
  approval: maybe(fc.constant({ level: "relayed" as const, text: "yes" })),
  submitted: fc.constantFrom(
    {},
    { evidence: { proof: true } },
    { evidence: { proof: true, count: 0 } },
    { evidence: { proof: true, count: 1 } },
    { evidence: { proof: true, count: 2 } },
    { evidence: { proof: true, count: "2" } },
    { evidence: { proof: "true" } },
    { outputs: { a: 1 } },
    { outputs: { a: 2, b: 1 }, evidence: { proof: true } },
  ),
  fingerprint: fc.constantFrom("f1", "f2", "f3") as fc.Arbitrary<string>,
});
const reporting = completing.map((command) => ({ ...command, blocked: "there is no such thing" }));
const responding = fc.record({
  kind: fc.constantFrom("answer" as const),
  follows: maybe(fc.constantFrom("again" as const, "continue" as const)),
});
const answering = fc.record({ kind: fc.constantFrom("agree" as const, "decline" as const, "unanswered" as const) });
const goingBack = fc.record({ kind: fc.constant("back" as const), workflow: maybe(anyWorkflow), step: anyStep });
const editing = fc.record({
  kind: fc.constant("edit" as const),
  workflow: maybe(anyWorkflow),
  step: maybe(anyStep),
  state: maybe(fc.constantFrom("started" as const, "completed" as const)),
  completed: fc.array(fc.oneof(anyStep, pathOfStep).map((step) => ({ step }))),
});
/** Mostly work: a history in which nothing is ever completed tells little. */
const commands = fc.oneof(
  { weight: 12, arbitrary: opening },
  { weight: 16, arbitrary: completing },
  { weight: 4, arbitrary: answering },
  { weight: 2, arbitrary: reporting },
  { weight: 2, arbitrary: responding },
  { weight: 2, arbitrary: goingBack },
  { weight: 2, arbitrary: editing },
  { weight: 1, arbitrary: fc.constant({ kind: "archive" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "delete" as const }) },
);

/** What somebody does: calls a tool, answers, or edits or deletes the state file. */
export type Move = { who: "a" | "b"; command: typeof commands extends fc.Arbitrary<infer T> ? T : never };

/** Moves of two callers, in any order. */
export const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.record({ who: fc.constantFrom("a" as const, "b" as const), command: commands }),
  { maxLength: 40, size: "max" },
);

/** Moves that mostly get work done, for what only long walks show. */
export const steadyMoves: fc.Arbitrary<Move[]> = fc.array(
  fc
    .oneof(
      {
        weight: 5,
        arbitrary: fc.constant({ kind: "open" as const, workflow: undefined, step: undefined, resume: undefined }),
      },
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant("complete" as const),
          workflow: fc.constant(undefined),
          step: fc.constant(undefined),
          approval: fc.constant({ level: "relayed" as const, text: "yes" }),
          submitted: fc.record({ evidence: fc.record({ proof: fc.constant(true), count: fc.nat(2) }) }),
          fingerprint: fc.nat().map(String),
        }),
      },
      { weight: 1, arbitrary: responding },
    )
    .map((command) => ({ who: "a" as const, command })),
  { minLength: 20, maxLength: 60, size: "max" },
) as fc.Arbitrary<Move[]>;

function withoutUndefined<T extends object>(value: object): T {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as T;
}

/** What one move came to; `edit`: a person did something to the state file. */
export type Transition = {
  readonly before: StreamSnapshot;
  readonly events: readonly Event[];
  readonly after: StreamSnapshot;
  readonly by: "decision" | "edit";
  readonly outcome?: Outcome;
};

/** Plays moves by two callers and shows every transition to the observer. */
export function play(
  plan: Plan,
  played: Move[],
  observe: (step: Transition) => void,
): { desk: StreamSnapshot; events: Event[] } {
  let stream = emptyStream;
  const events: Event[] = [];
  /** The last hand-in that waited for a person. */
  let waiting: (Outcome & { kind: "awaiting" }) | undefined;
  /** The last report that a step is blocked. */
  let blocked: (Outcome & { kind: "blocked" | "at_bound" }) | undefined;
  const enter = (step: Transition): void => {
    observe(step);
    events.push(...step.events);
    stream = step.after;
  };
  const apply = (command: Command, who: string, now: string): void => {
    const { events: facts, outcome } = decide(command, { plan, stream, caller: { id: who }, now });
    if (outcome.kind === "awaiting") waiting = outcome;
    if (outcome.kind === "blocked" || outcome.kind === "at_bound") blocked = outcome;
    enter({ before: stream, events: facts, after: replay(facts, stream), by: "decision", outcome });
  };
  if (plan.policy.definition === "pinned") {
    const [{ name, steps } = { name: "", steps: [] }] = plan.workflows;
    const facts = { workflow: name, target: null, options: {}, definition: "d", first: 1, total: steps.length };
    apply({ kind: "begin", facts }, "a", new Date(Date.UTC(2025, 0, 1)).toISOString());
  }
  played.forEach(({ who, command }, tick) => {
    const now = new Date(Date.UTC(2026, 0, 1, 0, 0, tick)).toISOString();
    if (command.kind === "edit" || command.kind === "delete") {
      const { kind, ...said } = command;
      const settled = reconcile(
        kind === "delete" ? { kind: "deleted" } : { kind: "foreign", file: withoutUndefined<ForeignPosition>(said) },
        { plan, stream, hasHistory: events.length > 0, externalEdits: "obey", stamp: { at: now, by: who } },
      );
      enter({ before: stream, events: settled.events, after: replay(settled.events, stream), by: "edit" });
    } else if (command.kind === "answer") {
      if (blocked === undefined) return;
      const answer = { kind: "answer", ref: blocked.ref, text: "do without", level: "elicited" } as const;
      apply({ ...answer, ...(command.follows && { follows: command.follows }) }, who, now);
    } else if (command.kind === "agree" || command.kind === "decline" || command.kind === "unanswered") {
      if (waiting === undefined) return;
      const about = { ref: waiting.ref, digest: waiting.digest };
      const word = { level: "elicited", text: "yes" } as const;
      const agree: Command = {
        kind: "complete",
        submitted: {},
        fingerprint: "f4",
        approval: word,
        approvedSubmission: about,
      };
      apply(command.kind === "agree" ? agree : { kind: command.kind, ...about }, who, now);
    } else if (command.kind !== "archive" || plan.policy.definition === "pinned") {
      apply(withoutUndefined<Command>(command), who, now);
    }
  });
  return { desk: stream, events };
}
