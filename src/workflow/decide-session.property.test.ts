import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Command } from "./command.ts";
import { decide } from "./decide.ts";
import { mayRead } from "./decide-session.ts";
import { type Desk, emptyDesk } from "./desk.ts";
import type { Event } from "./events.ts";
import type { Gate } from "./gate.ts";
import type { Outcome } from "./outcome.ts";
import { replay } from "./replay.ts";
import { locate } from "./route.ts";
import { sessionView } from "./session-view.ts";
import type { Plan } from "./workflow.ts";

const gate = (approval: boolean): Gate => ({
  requirements: [{ field: "proof", type: "boolean", required: true, description: "it is proved", rules: [] }],
  comparisons: [],
  examples: {},
  rulesHold: false,
  approval,
});

const plans: fc.Arbitrary<Plan> = fc
  .record({ first: fc.integer({ min: 0, max: 1 }), approvals: fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }) })
  .map(({ first, approvals }) => ({
    name: "session",
    workflows: [
      {
        name: "survey",
        steps: approvals.map((approval, at) => ({ name: String(first + at), auto: true, gate: gate(approval) })),
      },
    ],
    independent: [],
    ordered: false,
  }));

const step = fc.integer({ min: -1, max: 8 }).map(String);
const commands: fc.Arbitrary<Command> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("read" as const), step }) },
  { weight: 1, arbitrary: fc.constant({ kind: "read" as const }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("pass" as const),
      step,
      fingerprint: fc.constantFrom("a", "b"),
      handed: fc.constantFrom({}, { evidence: { proof: true } }, { evidence: { proof: "true" } }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("pass" as const),
      step,
      fingerprint: fc.constantFrom("a", "b"),
      handed: fc.constant({ evidence: { proof: true } }),
      word: fc.constant({ level: "relayed" as const, text: "yes" }),
    }),
  },
);
const moves = fc.array(fc.record({ who: fc.constantFrom("a", "b"), command: commands }), { maxLength: 60 });

/** Plays a session from its beginning and shows every decision to the observer. */
function play(
  plan: Plan,
  played: readonly { readonly who: string; readonly command: Command }[],
  observe: (move: { before: Desk; after: Desk; outcome: Outcome; command: Command; events: readonly Event[] }) => void,
): { desk: Desk; events: readonly Event[] } {
  const steps = plan.workflows[0]?.steps ?? [];
  const facts = {
    workflow: "survey",
    target: null,
    options: {},
    definition: "d",
    first: Number(steps[0]?.name),
    total: steps.length,
  };
  let desk = emptyDesk;
  const events: Event[] = [];
  const all = [{ who: "a", command: { kind: "begin", facts } as Command }, ...played];
  for (const [tick, { who, command }] of all.entries()) {
    const now = new Date(Date.UTC(2026, 0, 1, 0, 0, tick)).toISOString();
    const decision = decide(command, { plan, desk, caller: { id: who, opened: null, openedAside: null }, now });
    const after = replay(decision.events, desk);
    observe({ before: desk, after, outcome: decision.outcome, command, events: decision.events });
    events.push(...decision.events);
    desk = after;
  }
  return { desk, events };
}

const completedIn = (desk: Desk): readonly number[] => sessionView("s", desk)?.completed_phases ?? [];

describe("a session, whatever is asked of it", () => {
  test("a phase is completed only after every phase before it, and only with its evidence and the word it needs", () => {
    fc.assert(
      fc.property(plans, moves, (plan, played) => {
        play(plan, played, ({ before, after, command }) => {
          const fresh = completedIn(after).filter((phase) => !completedIn(before).includes(phase));
          if (fresh.length === 0) return;
          expect(fresh).toEqual([sessionView("s", before)?.current_phase]);
          expect(command).toMatchObject({ kind: "pass" });
          const state = after.runs.get("survey")?.steps.get(String(fresh[0]));
          expect(state?.handed.evidence?.proof).toBe(true);
        });
      }),
    );
  });

  test("what may be read is the open phase and the completed ones; no outcome names any other", () => {
    fc.assert(
      fc.property(plans, moves, (plan, played) => {
        play(plan, played, ({ after, outcome }) => {
          const [workflow] = plan.workflows;
          if (workflow === undefined) return;
          const place = locate(after, workflow);
          const view = sessionView("s", after);
          for (const { name } of workflow.steps) {
            const isOpen = Number(name) === view?.current_phase || view?.completed_phases.includes(Number(name));
            expect(mayRead(place, name)).toBe(isOpen === true);
          }
          const named =
            outcome.kind === "refused" ? outcome.current?.step : "ref" in outcome ? outcome.ref?.step : undefined;
          if (named !== undefined) expect(mayRead(place, named)).toBe(true);
          if (outcome.kind === "completed" && outcome.next !== null)
            expect(mayRead(place, outcome.next.step)).toBe(true);
        });
      }),
    );
  });

  test("the history only grows, and adding it up again gives the same session", () => {
    fc.assert(
      fc.property(plans, moves, (plan, played) => {
        const { desk, events } = play(plan, played, () => {});
        expect(sessionView("s", replay(events))).toEqual(sessionView("s", desk));
      }),
    );
  });

  test("every refusal names what to do", () => {
    fc.assert(
      fc.property(plans, moves, (plan, played) => {
        play(plan, played, ({ outcome }) => {
          if (outcome.kind === "refused") expect(outcome.refusal.required_action.length).toBeGreaterThan(10);
        });
      }),
    );
  });

  test("complete evidence and a person's word walk it to its end", () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const steps = plan.workflows[0]?.steps ?? [];
        const played = steps.map(({ name }) => ({
          who: "a",
          command: {
            kind: "pass",
            step: name,
            fingerprint: name,
            handed: { evidence: { proof: true } },
            word: { level: "relayed", text: "yes" },
          } satisfies Command,
        }));
        const { desk } = play(plan, played, () => {});
        expect(sessionView("s", desk)).toMatchObject({ workflow_complete: true });
      }),
    );
  });
});
