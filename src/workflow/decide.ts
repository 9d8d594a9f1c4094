import type { Caller, Command } from "./command.ts";
import { decideApprove } from "./decide-approve.ts";
import { decideChecked, decideComplete } from "./decide-complete.ts";
import { decideOpen } from "./decide-open.ts";
import { decideArchive, decideBack, decideBegin } from "./decide-person.ts";
import { decideAnswer } from "./decide-word.ts";
import type { Desk } from "./desk.ts";
import type { Decision } from "./outcome.ts";
import type { Plan } from "./workflow.ts";

/** Everything a decision depends on. */
export type Situation = {
  readonly plan: Plan;
  readonly desk: Desk;
  readonly caller: Caller;
  readonly now: string;
};

/** Decides one command: the facts to record and what may be answered, or a refusal. Pure: the same situation gives the same decision. */
export function decide(command: Command, situation: Situation): Decision {
  switch (command.kind) {
    case "open":
      return decideOpen(command, situation);
    case "complete":
      return decideComplete(command, situation);
    case "checked":
      return decideChecked(command, situation);
    case "back":
      return decideBack(command, situation);
    case "begin":
      return decideBegin(command, situation);
    case "archive":
      return decideArchive(command, situation);
    case "approve":
      return decideApprove(command, situation);
    case "decline":
    case "unanswered":
      return decideAnswer(command, situation);
  }
}
