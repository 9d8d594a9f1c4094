import type { Command } from "./command.ts";
import { decideAnswer } from "./decide-answer.ts";
import { decideApprove } from "./decide-approve.ts";
import { decideResponse } from "./decide-blocked.ts";
import { decideChecked, decideComplete } from "./decide-complete.ts";
import { decideOpenItem, decideSettleItem, decideTakeItems } from "./decide-items.ts";
import { decideOpen } from "./decide-open.ts";
import { decideArchive, decideBack, decideBegin, decideEnd } from "./decide-person.ts";
import { decideUpdate } from "./decide-update.ts";
import type { DecisionContext } from "./decision-context.ts";
import type { Decision } from "./outcome.ts";

/** Decides one command: the events to record and the outcome, or a refusal. Pure: the same situation gives the same decision. */
export function decide(command: Command, situation: DecisionContext): Decision {
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
    case "take_items":
      return decideTakeItems(command, situation);
    case "open_item":
      return decideOpenItem(command, situation);
    case "settle_item":
      return decideSettleItem(command, situation);
    case "update":
      return decideUpdate(command, situation);
    case "approve":
      return decideApprove(command, situation);
    case "end":
      return decideEnd(command, situation);
    case "answer":
    case "waive":
      return decideResponse(command, situation);
    case "decline":
    case "unanswered":
      return decideAnswer(command, situation);
  }
}
