import { defined } from "../kit/defined.ts";
import { type DeclineCommand, stampOf, type UnansweredCommand } from "./command.ts";
import { answerRefusal } from "./decide-approve.ts";
import type { DecisionContext } from "./decision-context.ts";
import type { Event } from "./events.ts";
import type { Decision } from "./outcome.ts";
import { findWorkflow, positionIn } from "./position.ts";
import { refuse } from "./refuse.ts";
import { requiredApproval } from "./required-approval.ts";
import { rejectionOf } from "./stream-snapshot.ts";

/** Decides a rejection or a missing answer: recorded for exactly the submission that was asked about. */
export function decideAnswer(command: DeclineCommand | UnansweredCommand, situation: DecisionContext): Decision {
  const { ref, digest } = command;
  const { plan, stream, caller, now } = situation;
  const workflow = findWorkflow(plan, stream, ref.workflow);
  const position = workflow === undefined ? null : positionIn(stream, workflow);
  const state = position?.run.pass === ref.pass ? position.run.steps.get(ref.step) : undefined;
  const stamp = stampOf(caller, now);
  const submitted = state?.submitted ?? {};
  const isIndependent = plan.independent.includes(ref.step);
  if (!isIndependent && (state?.attempt !== ref.attempt || state.status !== "started")) {
    const at = position?.current?.name ?? null;
    return refuse(position, null, { kind: "moved", step: ref.step, workflow: ref.workflow, at });
  }
  const refused =
    command.kind === "decline" && command.level !== undefined ? answerRefusal(command, position, situation) : undefined;
  if (refused !== undefined) return refuse(position, null, refused);
  if (command.kind === "unanswered") {
    const event: Event = { type: "unanswered", ...stamp, ...ref, digest };
    const no = rejectionOf(stream, ref, digest);
    const gate = position?.steps.find(({ name }) => name === ref.step)?.gate;
    const outcome = {
      kind: "awaiting",
      ref,
      submitted,
      digest,
      unanswered: true,
      declined: no !== undefined,
      ...(no?.reason === undefined ? {} : { reason: no.reason }),
      needs: requiredApproval(gate, plan),
      given: state?.approvals ?? [],
    } as const;
    return { events: [event], outcome, notices: [] };
  }
  const said = defined({ reason: command.reason });
  const { level, person, signed } = command;
  const event: Event = {
    type: "declined",
    ...stamp,
    ...ref,
    digest,
    ...said,
    ...defined({ level, person, signed }),
  };
  return {
    ...refuse(position, isIndependent ? null : ref, { kind: "declined", step: ref.step, ...said }, submitted),
    events: [event],
  };
}
