import type { CopyOnce } from "../kit/copy-once.ts";
import type { Event } from "./events.ts";
import { attemptId } from "./named-attempts.ts";
import { addMove, type Draft, keepCompletions, maxRecent, stepsOf, supersede, vouchedState } from "./replay-draft.ts";
import { type Completion, isSatisfied, newRun } from "./stream-snapshot.ts";

/** Takes over a position that a person edited. */
export function applyAdopted(stream: Draft, event: Event & { type: "adopted" }, own: CopyOnce): void {
  for (const { workflow, step } of event.vouched) {
    const run = stream.runs.get(workflow) ?? newRun(stream, workflow);
    if (!isSatisfied(run.steps.get(step))) stepsOf(stream, run, own).set(step, vouchedState(event.timestamp));
  }
  const run = stream.runs.get(event.workflow) ?? newRun(stream, event.workflow);
  const steps = stepsOf(stream, run, own);
  const { step, state, timestamp, completed } = event;
  const before = step === undefined ? undefined : steps.get(step);
  supersede(
    steps,
    [...steps.keys()].filter((name) => !event.before.includes(name)),
  );
  if (step !== undefined) {
    keepCompletions(stream, run, own, [step]);
    const completion: Completion = {
      at: timestamp,
      by: event.by,
      fingerprint: "",
      finished: true,
      next: null,
      notices: [],
    };
    const attempt = (before?.attempt ?? 0) + 1;
    steps.set(step, {
      ...vouchedState(timestamp),
      attempt,
      id: attemptId(event, { workflow: run.workflow, pass: run.pass, step, attempt }, stream),
      // a step that was left out stays so: otherwise an edit would vouch for it even once its gate is back
      status:
        state === "started"
          ? "started"
          : before?.status === "skipped" || before?.status === "passed_over"
            ? before.status
            : "vouched",
      ...(event.finished === true ? { completion } : {}),
    });
  }
  stream.focus = { workflow: event.workflow, step: step ?? null, state, timestamp };
  stream.completedCount = completed.length;
  stream.recentCompletions = completed.slice(-maxRecent);
  addMove(stream, event, "edited to");
}
