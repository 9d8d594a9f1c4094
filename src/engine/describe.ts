import { handedSoFar } from "../workflow/desk.ts";
import type { Violation } from "../workflow/events.ts";
import type { Outcome } from "../workflow/outcome.ts";
import type { Refusal } from "../workflow/refusal.ts";
import { inFocus } from "../workflow/route.ts";
import type { Calling } from "./caller.ts";
import type { DeskParts } from "./desk-parts.ts";
import type { Reply } from "./reply.ts";
import { reveal } from "./reveal.ts";
import { runRules } from "./rules.ts";
import { survey, type Transacted } from "./transact.ts";

/** Turns a recorded decision into an answer: the step that may be shown now, and what it rests on. */
export async function describe(
  parts: DeskParts,
  { decision, reading, desk, warnings }: Transacted,
  known?: readonly Violation[],
  part?: string,
): Promise<Reply> {
  const { outcome } = decision;
  const reply = { id: parts.id, outcome, desk };
  const said = [...warnings, ...decision.notices];
  const place = stepShown(outcome, reading);
  const violations =
    known ??
    ("violations" in outcome ? outcome.violations : undefined) ??
    (place !== null && parts.definitions.rules?.checks(place.step) === true
      ? (await runRules(parts, reading.plan, desk, place.workflow)).violations
      : undefined);
  const checked = violations === undefined ? {} : { violations };
  if (place === null) return { ...reply, shown: null, warnings: said, ...checked };
  const shown = await reveal(parts, reading.plan, desk, {
    ...place,
    ...checked,
    ...(part === undefined ? {} : { part }),
  });
  if (shown === undefined) return noSuchPart(reply, part ?? "", said);
  return { ...reply, shown, warnings: [...said, ...shown.warnings], ...checked };
}

/** The step that goes out with an outcome, as far as the caller has not just been shown it. */
function stepShown(
  outcome: Outcome,
  { plan }: Transacted["reading"],
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
      return plan.manner.completing === "opens the next" ? outcome.next : null;
    case "awaiting":
    case "approved":
    case "checking":
    case "checked":
    case "finished":
    case "gone_back":
    case "archived":
    case "aside_completed":
      return null;
  }
}

function noSuchPart(reply: Pick<Reply, "id" | "outcome" | "desk">, part: string, warnings: Reply["warnings"]): Reply {
  const refusal: Refusal = {
    kind: "invalid_input",
    message: `it has no part ${part.slice(0, 100)}`,
    fix: "Leave it out to see which there are.",
  };
  return { ...reply, outcome: { kind: "refused", workflow: null, current: null, refusal }, shown: null, warnings };
}

/** Refuses a call; the work stays where it is, with all that was handed in before. */
export async function refuseAtPlace(
  parts: DeskParts,
  caller: Calling,
  refusal: Refusal,
  named?: string,
): Promise<Reply> {
  const { reading, situation, warnings } = await survey(parts, caller);
  const workflow = inFocus(reading.plan, situation.desk)?.name ?? null;
  const kept = handedSoFar(situation.desk, caller.id, named);
  const outcome: Outcome = { kind: "refused", workflow, current: null, refusal, kept };
  return describe(parts, { decision: { events: [], outcome, notices: [] }, reading, desk: situation.desk, warnings });
}
