import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gate, type Move, moves, plans, play, policies, stepNames } from "../../test/play.ts";
import { wholeOr } from "../../test/whole.ts";
import { digestOf } from "../kit/json.ts";
import type { StepRef } from "./events.ts";
import type { Outcome } from "./outcome.ts";
import { mayBeShown, positionIn } from "./position.ts";
import { replay } from "./replay.ts";
import { isSatisfied } from "./stream-snapshot.ts";
import type { Plan } from "./workflow.ts";

const check = (property: fc.IProperty<[Plan, Move[]]>): void => fc.assert(property, { numRuns: wholeOr(20_000, 400) });

describe("for all calls in any order", () => {
  // Attack (tools): Open, read or complete an action before the one before it is done
  // -> Refused by every tool, prompt and resource
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
        const { desk: stream, events } = play(plan, played, () => {});
        expect(replay(JSON.parse(JSON.stringify(events)))).toEqual(stream);
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
          const but = { independentSteps: null, pastCompletions: null, changedAt: null };
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
          const opens = plan.policy.onComplete === "opens the next" && outcome.kind === "completed";
          // a completed step may have led back behind itself; its reply shows where it led
          const own = outcome.kind === "completed" ? null : "ref" in outcome ? outcome.ref : null;
          const named = outcome.kind === "refused" ? outcome.current : own;
          for (const ref of [named, opens ? outcome.next : null])
            if (ref !== null) expect(mayBeShown(plan, after, ref.workflow, ref.step)).toBe(true);
        });
      }),
    );
  });

  // Attack (tools): Learn anything of a phase that is not open (content, names, tasks, fields), or skip one
  test("where only the number of steps may be known, no refusal names one that is not open", () => {
    check(
      fc.property(plans, moves, (plan, played) => {
        play(plan, played, ({ outcome }) => {
          if (plan.policy.aheadVisible !== "number" || outcome?.kind !== "refused") return;
          expect(["unknown_step", "not_opened"]).not.toContain(outcome.refusal.kind);
        });
      }),
    );
  });

  test("a submission is kept until the attempt ends", () => {
    check(
      fc.property(plans, moves, (plan, played) => {
        play(plan, played, ({ before, after, by }) => {
          if (by === "edit") return;
          for (const run of before.runs.values()) {
            const now = after.runs.get(run.workflow);
            for (const [name, state] of run.steps) {
              const later = now?.pass === run.pass ? now.steps.get(name) : undefined;
              if (later?.attempt !== state.attempt) continue;
              expect(Object.keys(later.submitted.outputs ?? {})).toEqual(
                expect.arrayContaining(Object.keys(state.submitted.outputs ?? {})),
              );
            }
          }
        });
      }),
    );
  });

  test("a step reported as blocked is completed by nothing but a submission that passes its gate", () => {
    check(
      fc.property(plans, moves, (plan, played) => {
        play(plan, played, ({ before, after, events, outcome, by }) => {
          if (outcome?.kind === "blocked") expect(events.filter(({ type }) => type === "completed")).toEqual([]);
          if (by === "edit") return;
          for (const run of before.runs.values())
            for (const [name, state] of run.steps) {
              if (state.status !== "started" || state.blocked === undefined) continue;
              const now = after.runs.get(run.workflow);
              const later = now?.pass === run.pass ? now.steps.get(name) : undefined;
              if (later?.attempt !== state.attempt || later.status === "superseded") continue;
              const passed = events.some(({ type }) => type === "completed" || type === "handed_in");
              const isWithdrawn = later.status === "completed" || later.blocked === undefined;
              if (isWithdrawn) expect(passed || outcome?.kind === "unblocked").toBe(true);
            }
        });
      }),
    );
  });

  // Attack (tools): Use a person's yes for something else than they were shown
  test("an approval counts for exactly the submission that was shown, and after a rejection only a new approval does", () => {
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
            const { run } = positionIn(after, workflow);
            for (const step of workflow.steps) {
              const state = run.steps.get(step.name);
              if (step.gate === undefined || !isSatisfied(state)) continue;
              if (state?.status === "skipped" || state?.status === "passed_over") continue;
              expect(proved.has(JSON.stringify([workflow.name, run.pass, step.name]))).toBe(true);
            }
          }
        });
      }),
    );
  });

  test("a step completes only once it was started, and with approval unless it continues by itself", () => {
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

test("a caller cannot go back to a step ahead: an edit vouched for it, and the gate before it has not passed", () => {
  const [policy] = policies;
  if (policy === undefined) throw new Error("no policy");
  const steps = stepNames.slice(0, 3).map((name) => ({ name, auto: false, ...(name === "gather" ? { gate } : {}) }));
  const plan: Plan = { name: "bot", independent: [], policy, workflows: [{ name: "shape", steps }], ordered: false };
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
