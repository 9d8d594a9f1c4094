import { defined } from "../kit/defined.ts";
import type { Violation } from "../workflow/events.ts";
import type { Outcome } from "../workflow/outcome.ts";
import { focusedWorkflow, positionIn } from "../workflow/position.ts";
import type { Refusal } from "../workflow/refusal.ts";
import { type StreamSnapshot, submittedSoFar } from "../workflow/stream-snapshot.ts";
import type { Plan } from "../workflow/workflow.ts";
import type { CallerContext } from "./caller.ts";
import type { EngineDeps } from "./engine-deps.ts";
import type { Reply } from "./reply.ts";
import { reveal } from "./reveal.ts";
import { runRules } from "./run-rules.ts";
import type { Loaded, TransactionResult } from "./transact.ts";

/** Turns a recorded decision into a reply, with the step that may be shown now. */
export async function buildReply(
  deps: EngineDeps,
  { decision, reading, stream, warnings }: TransactionResult,
  known?: readonly Violation[],
  part?: string,
): Promise<Reply> {
  const { outcome } = decision;
  const reply = { id: deps.id, outcome, stream };
  const warningsSoFar = [...warnings, ...decision.notices];
  const toShow = stepToShow(outcome, reading, stream);
  const violations =
    known ??
    ("violations" in outcome ? outcome.violations : undefined) ??
    (toShow !== null && deps.definitions.rules?.checks(toShow.step) === true
      ? (await runRules(deps, reading.plan, stream, toShow.workflow)).violations
      : undefined);
  const checked = violations === undefined ? {} : { violations };
  if (toShow === null) return { ...reply, shown: null, warnings: warningsSoFar, ...checked };
  const shown = await reveal(deps, reading.plan, stream, {
    ...toShow,
    ...checked,
    ...defined({ part }),
  });
  if (shown === undefined) return refuseUnknownPart(reply, part ?? "", warningsSoFar);
  const opens = outcome.kind === "opened" || outcome.kind === "completed";
  const naming = opens && reading.settings.standards === "auto" ? { namesStandards: true as const } : {};
  return { ...reply, shown, warnings: [...warningsSoFar, ...shown.warnings], ...checked, ...naming };
}

/** The step that a reply shows, unless the caller has just seen it. */
function stepToShow(
  outcome: Outcome,
  { plan }: TransactionResult["reading"],
  stream: StreamSnapshot,
): { workflow: string; step: string; brief?: true } | null {
  switch (outcome.kind) {
    case "opened":
      if (outcome.show === "nothing") return null;
      return { ...outcome.ref, ...(outcome.show === "step" ? { brief: true } : {}) };
    case "interrupted":
    case "review":
      return outcome.ref;
    case "aside_opened":
      return outcome;
    case "refused":
      return outcome.current;
    case "completed":
      return plan.policy.onComplete === "opens the next" ? showableNext(outcome, plan, stream) : null;
    case "awaiting":
    case "approved":
    case "checking":
    case "checked":
    case "finished":
    case "blocked":
    case "at_bound":
    case "unblocked":
    case "gone_back":
    case "archived":
    case "items":
    case "updated":
    case "aside_completed":
      return null;
  }
}

/** The step after a completed one; the current step if a person has gone back since, as when an old call is answered again. */
function showableNext(
  { ref, next }: Outcome & { kind: "completed" },
  plan: Plan,
  stream: StreamSnapshot,
): { workflow: string; step: string } | null {
  const status = next === null ? undefined : stream.runs.get(next.workflow)?.steps.get(next.step)?.status;
  if (status === "started" || status === "completed") return next;
  const workflow = plan.workflows.find(({ name }) => name === ref.workflow);
  const current = workflow === undefined ? null : positionIn(stream, workflow).current;
  return current === null ? null : { workflow: ref.workflow, step: current.name };
}

function refuseUnknownPart(
  reply: Pick<Reply, "id" | "outcome" | "stream">,
  part: string,
  warnings: Reply["warnings"],
): Reply {
  const refusal: Refusal = {
    kind: "invalid_input",
    message: `it has no part ${part.slice(0, 100)}`,
    fix: "Leave it out to see the parts there are.",
  };
  return { ...reply, outcome: { kind: "refused", workflow: null, current: null, refusal }, shown: null, warnings };
}

/** Refuses a call; the position and everything submitted so far stay as they are. */
export async function refuseCall(
  deps: EngineDeps,
  caller: CallerContext,
  { reading, situation, warnings }: Loaded,
  refusal: Refusal,
  named?: string,
): Promise<Reply> {
  const workflow = focusedWorkflow(reading.plan, situation.stream)?.name ?? null;
  const kept = submittedSoFar(situation.stream, caller.id, named);
  const outcome: Outcome = { kind: "refused", workflow, current: null, refusal, kept };
  return buildReply(deps, {
    decision: { events: [], outcome, notices: [] },
    reading,
    stream: situation.stream,
    warnings,
  });
}
