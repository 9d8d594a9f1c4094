import fc from "fast-check";
import { expect, test } from "vitest";
import { wholeOr } from "../../test/whole.ts";
import { type ApprovalRule, approvalLevels, isBelow } from "../gates/approval-rule.ts";
import { decide } from "./decide.ts";
import type { DecisionContext } from "./decision-context.ts";
import type { Event } from "./events.ts";
import { replay } from "./replay.ts";
import { emptyStream, type GivenApproval } from "./stream-snapshot.ts";
import type { Plan } from "./workflow.ts";

const now = "2026-01-01T12:00:00.000Z";
const names = ["dana", "lee", "mallory"] as const;

const needs: fc.Arbitrary<ApprovalRule> = fc
  .record({
    level: fc.constantFrom(...approvalLevels),
    by: fc.subarray([...names]),
    count: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ level, by, count }) => ({ level, count, ...(by.length === 0 ? {} : { by }) }));

/** An approval as a record may have it: of this submission or another, by anyone, expired or not. */
const approvals = fc.array(
  fc.record({
    isThis: fc.boolean(),
    isOver: fc.boolean(),
    level: fc.constantFrom("elicited" as const, "proven" as const),
    name: fc.constantFrom(...names),
    isHeld: fc.boolean(),
    ref: fc.constantFrom({}, { attempt: 2 }, { pass: 2 }, { step: "two" }, { workflow: "other" }),
  }),
  { maxLength: 5 },
);

function planOf(approval: ApprovalRule, approvalLevel: Plan["approvalLevel"], auto: boolean): Plan {
  const gate = {
    ...{ requirements: [], comparisons: [], examples: {}, rulesHold: false, approval: true },
    approvalNeeds: approval,
  };
  return {
    name: "bot",
    policy: {
      ...{ onComplete: "leaves the next", aheadVisible: "names", onViewEdit: "obeyed", definition: "live" },
      ...{ onUnrecorded: "held", onResume: "asks", outOfTurnCode: "action_sequence_violation" },
    },
    workflows: [{ name: "shape", steps: ["one", "two"].map((name) => ({ name, auto, gate })) }],
    independent: [],
    ordered: false,
    ...(approvalLevel === undefined ? {} : { approvalLevel }),
  };
}

test("only approvals of the required level, people and number, for exactly this submission and not expired, complete a step, once", () => {
  const words = fc.option(fc.constantFrom("relayed" as const, "elicited" as const), { nil: undefined });
  const least = fc.option(fc.constantFrom(...approvalLevels), { nil: undefined });
  fc.assert(
    fc.property(needs, least, fc.boolean(), approvals, words, (asked, approvalLevel, auto, given, level) => {
      const plan = planOf(asked, approvalLevel, auto);
      const caller = { id: "a" };
      const at = (events: readonly Event[]): DecisionContext => ({
        plan,
        stream: replay(events, emptyStream),
        caller,
        now,
      });
      const opened = decide({ kind: "open" }, at([])).events;
      const handing = { kind: "complete", submitted: { outputs: { a: 1 } }, fingerprint: "f" } as const;
      const waits = decide(handing, at(opened));
      if (waits.outcome.kind !== "awaiting") return expect.unreachable("it needs a person");
      const { ref, digest } = waits.outcome;
      const recorded = given.map(({ isThis, isOver, level: own, name, ref: other }): Event => {
        const expires = isOver ? now : "2026-01-02T00:00:00.000Z";
        const person = own === "proven" ? { person: { name, key: name } } : {};
        const said = { digest: isThis ? digest : "other", level: own, expires, ...person };
        return { type: "approved", at: now, by: "terminal", ...ref, ...other, ...said };
      });
      const before = [...opened, ...waits.events, ...recorded];
      const situation = at(before);
      const state = situation.stream.runs.get("shape")?.steps.get("one");
      const held = new Set(given.flatMap(({ isHeld, name }) => (isHeld ? [name] : [])));
      const holding: readonly GivenApproval[] = (state?.approvals ?? []).filter(
        ({ person }) => person === undefined || held.has(person.name as (typeof names)[number]),
      );
      const word = level === undefined ? {} : { approval: { level } };
      const { outcome, events } = decide({ ...handing, approvals: holding, ...word }, situation);
      const needed = approvalLevel !== undefined && isBelow(asked.level, approvalLevel) ? approvalLevel : asked.level;
      const good = given.filter(
        ({ isThis, isOver, level: own, name, isHeld, ref: other }) =>
          isThis &&
          !isOver &&
          Object.keys(other).length === 0 &&
          !isBelow(own, needed) &&
          (own === "proven" ? isHeld || held.has(name) : true) &&
          (asked.by === undefined || (own === "proven" && asked.by.includes(name))),
      );
      const people = new Set(good.map(({ level: own, name }) => (own === "proven" ? name : "somebody")));
      const isAnswered = level !== undefined && !isBelow(level, needed) && asked.by === undefined && asked.count === 1;
      expect(outcome.kind === "completed").toBe(people.size >= asked.count || isAnswered);
      expect(events.filter(({ type }) => type === "completed").length).toBeLessThanOrEqual(1);
      if (outcome.kind !== "completed") return;
      const again = decide({ ...handing, approvals: holding, ...word }, at([...before, ...events]));
      expect(again.events).toEqual([]); // an approval is for one transition
    }),
    { numRuns: wholeOr(20_000, 400) },
  );
});
