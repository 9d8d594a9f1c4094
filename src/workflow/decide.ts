import type { Caller, Command } from "./command.ts";
import { decideBack } from "./decide-back.ts";
import { decideComplete } from "./decide-complete.ts";
import { decideOpen } from "./decide-open.ts";
import { decideArchive, decideBegin, decidePass, decideRead } from "./decide-session.ts";
import type { Desk } from "./desk.ts";
import type { Decision } from "./outcome.ts";
import type { Plan } from "./workflow.ts";

/** Everything a decision depends on. */
export type Situation = { readonly plan: Plan; readonly desk: Desk; readonly caller: Caller; readonly now: string };

/** Decides one command: the facts to record and what may be answered, or a refusal. Pure: the same situation gives the same decision. */
export function decide(command: Command, situation: Situation): Decision {
  switch (command.kind) {
    case "open":
      return decideOpen(command, situation);
    case "complete":
      return decideComplete(command, situation);
    case "back":
      return decideBack(command, situation);
    case "begin":
      return decideBegin(command, situation);
    case "read":
      return decideRead(command, situation);
    case "pass":
      return decidePass(command, situation);
    case "archive":
      return decideArchive(command, situation);
    case "decline": {
      const { ref, reason } = command;
      const workflow = situation.plan.workflows.find(({ name }) => name === ref.workflow);
      const title = workflow?.steps.find(({ name }) => name === ref.step)?.title ?? ref.step;
      const stamp = { at: situation.now, by: situation.caller.id };
      return {
        events: [{ type: "declined", ...stamp, ...ref, ...(reason ? { reason } : {}) }],
        outcome: {
          kind: "refused",
          workflow: ref.workflow,
          current: ref,
          refusal: {
            error: "approval_rejected",
            message: `The person did not agree that ${title} is done${reason ? `: ${reason}` : ""}. It stays open.`,
            required_action: `Ask what is missing, work on ${title}, and complete it again.`,
          },
        },
        warnings: [],
      };
    }
  }
}
