import type { Refusal } from "../workflow/refusal.ts";
import type { RefusalWords } from "./codes.ts";
import { sharedRefusal } from "./gate-refusals.ts";
import { moveInWords } from "./move.ts";

/** Puts a no into the words of bots: behaviors, actions, and the tools to call. */
export function botRefusal(refusal: Refusal, bot: string): RefusalWords {
  switch (refusal.kind) {
    case "ahead": {
      const at = refusal.at ?? "its end";
      return outOfTurn(
        `${refusal.step} is not open yet: ${refusal.workflow} stands at ${at}.`,
        `Complete ${at} first.`,
      );
    }
    case "workflow_ahead": {
      const { workflow, earlier, at } = refusal;
      return outOfTurn(
        `${workflow} is not open yet: ${earlier} comes first and stands at ${at ?? "its end"}.`,
        `Finish ${earlier} first.`,
      );
    }
    case "unknown_step":
      return {
        error: "unknown_action",
        message: `${refusal.workflow} has no action ${refusal.step}.`,
        required_action: `Use one of: ${refusal.known.join(", ")}; or leave out action to go where the work stands.`,
      };
    case "unknown_workflow":
      return refusal.workflow === null
        ? invalid(`${bot} has no behaviors.`, "List them in the bot's bot_config.json.")
        : {
            error: "unknown_action",
            message: `${bot} has no behavior ${refusal.workflow}.`,
            required_action: `Use one of: ${refusal.known.join(", ")}.`,
          };
    case "closed":
      return invalid(
        `What follows in ${refusal.workflow} is closed: ${refusal.problem.message}.`,
        `Mend ${refusal.problem.file}, then call again.`,
      );
    case "unopenable":
      return invalid(
        `${refusal.step} cannot be opened: ${refusal.problem.message}.`,
        `Mend ${refusal.problem.file}, then call again.`,
      );
    case "invalid_definition":
      return invalid(
        `${refusal.problem.file} cannot be used: ${refusal.problem.message}.`,
        `Mend ${refusal.problem.file}, then call again.`,
      );
    case "definition_gone":
      return invalid(
        `The definition of ${refusal.workflow} that this work began with is gone.`,
        `Restore ${refusal.workflow}, then call again.`,
      );
    case "moved": {
      const { step, workflow, at, last, onRecord } = refusal;
      const how =
        last === undefined ? "it was completed or begun anew meanwhile" : `${moveInWords(last, "bot")} meanwhile`;
      return {
        error: "conflict",
        message: `${step} is no longer open here: ${how}, and ${workflow} now stands at ${at ?? "its end"}. ${onRecord ? "What you had handed in before (kept) stays on record; this call is not." : "Nothing of this call was kept."}`,
        required_action: `Call the bot's tool to go where the work stands; to do ${step} again, open it with resume "retry".`,
      };
    }
    case "ambiguous": {
      const open = refusal.open.map(({ workflow, step }) => `${workflow}.${step}`);
      return {
        error: "conflict",
        message: `Several actions are open on this connection: ${open.join(", ")}. Nothing of this call was kept.`,
        required_action: "Send it again with behavior and action of the one that you mean.",
      };
    }
    case "not_opened":
      return outOfTurn(
        `${refusal.step} is not open: nobody has started it.`,
        `Open ${refusal.step} first with its behavior's tool, do its work, then complete it.`,
      );
    case "nothing_started":
      return outOfTurn(
        `Nothing is started in ${refusal.workflow}, so there is nothing to complete.`,
        `Call the bot's tool to open ${refusal.at ?? "the next action"} first.`,
      );
    case "aside_not_open":
      return outOfTurn(
        `${refusal.step} is not open.`,
        `Open it first: call the bot's tool with action "${refusal.step}".`,
      );
    case "archived":
      return {
        error: "conflict",
        message: "This work was archived by a person; it takes nothing more.",
        required_action: `Call the tool of a behavior with resume "restart" to begin anew.`,
      };
    case "gate_closed":
    case "gaps":
    case "violations":
    case "checks":
    case "untrusted":
    case "declined":
    case "other_hand_in":
    case "not_enough":
    case "unproved":
    case "not_recorded":
    case "forbidden":
    case "invalid_input":
      return sharedRefusal(refusal, (step) => step);
  }
}

function outOfTurn(message: string, required_action: string): RefusalWords {
  return { error: "action_sequence_violation", message, required_action };
}

function invalid(message: string, required_action: string): RefusalWords {
  return { error: "invalid_definition", message, required_action };
}
