import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { moves, plans, play, type Transition } from "../../../test/play.ts";
import { wholeOr } from "../../../test/whole.ts";
import type { StepRef } from "../../workflow/events.ts";
import type { StepState, StreamSnapshot } from "../../workflow/stream-snapshot.ts";
import { followWalk, type WalkedAttempt } from "./walk.ts";

const nameOf = ({ workflow, pass, step, attempt }: StepRef): string => `${workflow} ${pass} ${step} ${attempt}`;

function walkedAs(state: WalkedAttempt["state"], attempts: readonly WalkedAttempt[]): string[] {
  return attempts
    .filter((one) => one.state === state)
    .map(nameOf)
    .sort();
}

function statusAs(status: StepState["status"], { runs }: StreamSnapshot): string[] {
  return [...runs.values()]
    .flatMap(({ workflow, pass, steps }) =>
      [...steps].flatMap(([step, state]) =>
        state.status === status ? [nameOf({ workflow, pass, step, attempt: state.attempt })] : [],
      ),
    )
    .sort();
}

type Seen = Transition & {
  /** The walk of all events so far, and the walk before this move. */
  readonly attempts: readonly WalkedAttempt[];
  readonly attemptsBefore: readonly WalkedAttempt[];
};

/** Plays any moves, and returns after each the walk beside the stream's state. */
function checkWalks(holds: (seen: Seen) => void, keepsEnded = true): void {
  const property = fc.property(plans, moves, (plan, played) => {
    const follower = followWalk(undefined, keepsEnded);
    play(plan, played, (transition) => {
      const attemptsBefore = follower.attempts().map((one) => ({ ...one }));
      for (const event of transition.events) follower.feed(event);
      holds({ ...transition, attemptsBefore, attempts: follower.attempts() });
    });
  });
  fc.assert(property, { numRuns: wholeOr(20_000, 400) });
}

describe("for all actions of callers and people in any order", () => {
  test.each([true, false])(
    "a walk calls those attempts open that the desk calls started (it keeps others: %s)",
    (keeps) => {
      checkWalks(({ attempts, after }) => {
        expect(walkedAs("open", attempts)).toEqual(statusAs("started", after));
      }, keeps);
    },
  );

  test("a walk calls the same attempts of the newest pass completed as the stream does", () => {
    checkWalks(({ attempts, after }) => {
      const newest = attempts.filter(({ workflow, pass }) => after.runs.get(workflow)?.pass === pass);
      expect(walkedAs("completed", newest)).toEqual(statusAs("completed", after));
    });
  });

  test("what was completed in an earlier pass stays completed", () => {
    checkWalks(({ attempts, attemptsBefore, after }) => {
      const isEarlier = ({ workflow, pass }: StepRef): boolean => pass < (after.runs.get(workflow)?.pass ?? 0);
      const completed = walkedAs("completed", attemptsBefore.filter(isEarlier));
      expect(walkedAs("completed", attempts.filter(isEarlier))).toEqual(completed);
    });
  });
});
