import { type DeclineCommand, stampOf, type UnansweredCommand } from "./command.ts";
import type { Situation } from "./decide.ts";
import { answerRefusal } from "./decide-approve.ts";
import { declinedAt } from "./desk.ts";
import type { Event } from "./events.ts";
import { wordAsked } from "./need.ts";
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
  const refused =
    command.kind === "decline" && command.level !== undefined ? answerRefusal(command, place, situation) : undefined;
  if (refused !== undefined) return refuse(place, null, refused);
  if (command.kind === "unanswered") {
    const event: Event = { type: "unanswered", ...stamp, ...ref, digest };
    const no = declinedAt(desk, ref, digest);
    const gate = place?.steps.find(({ name }) => name === ref.step)?.gate;
    const outcome = {
      kind: "awaiting",
      ref,
      handed,
      digest,
      unanswered: true,
      declined: no !== undefined,
      ...(no?.reason === undefined ? {} : { reason: no.reason }),
      needs: wordAsked(gate, plan),
      given: state?.approvals ?? [],
    } as const;
    return { events: [event], outcome, notices: [] };
  }
  const said = command.reason === undefined ? {} : { reason: command.reason };
  const { level, person, signed } = command;
  const event: Event = {
    type: "declined",
    ...stamp,
    ...ref,
    digest,
    ...said,
    ...(level === undefined ? {} : { level }),
    ...(person === undefined ? {} : { person }),
    ...(signed === undefined ? {} : { signed }),
  };
  return {
    ...refuse(place, isAside ? null : ref, { kind: "declined", step: ref.step, ...said }, handed),
    events: [event],
  };
}
