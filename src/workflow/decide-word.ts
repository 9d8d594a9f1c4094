import { type DeclineCommand, stampOf, type UnansweredCommand } from "./command.ts";
import type { Situation } from "./decide.ts";
import { declinedAt } from "./desk.ts";
import type { Event } from "./events.ts";
import type { Decision } from "./outcome.ts";
import { refuse } from "./refusals.ts";
import { locate, named } from "./route.ts";

/** Decides what a person's no, or nobody's answer, leads to: on record for the very hand-in that was asked about. */
export function decideAnswer(command: DeclineCommand | UnansweredCommand, situation: Situation): Decision {
  const { ref, digest } = command;
  const { plan, desk, caller, now } = situation;
  const workflow = named(plan, desk, ref.workflow);
  const place = workflow === undefined ? null : locate(desk, workflow);
  const state = place?.run.pass === ref.pass ? place.run.steps.get(ref.step) : undefined;
  const stamp = stampOf(caller, now);
  const handed = state?.handed ?? {};
  const isAside = plan.independent.includes(ref.step);
  if (!isAside && (state?.attempt !== ref.attempt || state.status !== "started")) {
    const at = place?.current?.name ?? null;
    return refuse(place, null, { kind: "moved", step: ref.step, workflow: ref.workflow, at });
  }
  if (command.kind === "unanswered") {
    const event: Event = { type: "unanswered", ...stamp, ...ref, digest };
    const declined = declinedAt(desk, ref, digest) !== undefined;
    const outcome = { kind: "awaiting", ref, handed, digest, unanswered: true, declined } as const;
    return { events: [event], outcome, notices: [] };
  }
  const said = command.reason === undefined ? {} : { reason: command.reason };
  const event: Event = { type: "declined", ...stamp, ...ref, digest, ...said };
  return {
    ...refuse(place, isAside ? null : ref, { kind: "declined", step: ref.step, ...said }, handed),
    events: [event],
  };
}
