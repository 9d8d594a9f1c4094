import type { Refusal } from "../workflow/refusal.ts";
import { namedAttemptText, sharedRefusalMessage } from "./gate-refusals.ts";
import { moveText } from "./move-text.ts";
import type { RefusalMessage } from "./refusal-codes.ts";

/** Words a refusal for bots: behaviors, actions and the tools to call. */
export function botRefusalMessage(refusal: Refusal, bot: string): RefusalMessage {
  switch (refusal.kind) {
    case "ahead": {
      const { step, workflow, at } = refusal;
      return at === null
        ? sequenceViolation(
            `${step} is not open: ${workflow} is finished without it.`,
            `Call its tool with resume "restart" for a new pass, or go on with the next behavior.`,
          )
        : sequenceViolation(`${step} is not open yet: ${workflow} is at ${at}.`, `Complete ${at} first.`);
    }
    case "workflow_ahead": {
      const { workflow, earlier, at } = refusal;
      return sequenceViolation(
        `${workflow} is not open yet: ${earlier} comes first and is at ${at ?? "its end"}.`,
        `Finish ${earlier} first.`,
      );
    }
    case "unknown_step":
      return {
        error: "unknown_action",
        message: `${refusal.workflow} has no action ${refusal.step}.`,
        required_action: `Use one of: ${refusal.known.join(", ")}; or leave out action to go to the current one.`,
      };
    case "unknown_workflow":
      return refusal.workflow === null
        ? invalidDefinition(`${bot} has no behaviors.`, "List them in the bot's bot_config.json.")
        : {
            error: "unknown_action",
            message: `${bot} has no behavior ${refusal.workflow}.`,
            required_action: `Use one of: ${refusal.known.join(", ")}.`,
          };
    case "closed":
      return invalidDefinition(
        `${refusal.workflow} can't continue: ${refusal.problem.message}.`,
        `Fix ${refusal.problem.file}, then call again.`,
      );
    case "unopenable":
      return invalidDefinition(
        `${refusal.step} can't start: ${refusal.problem.message}.`,
        `Fix ${refusal.problem.file}, then call again.`,
      );
    case "invalid_definition":
      return invalidDefinition(
        `${refusal.problem.file} cannot be used: ${refusal.problem.message}.`,
        `Fix ${refusal.problem.file}, then call again.`,
      );
    case "definition_gone":
      return invalidDefinition(
        `The definition of ${refusal.workflow} that this run started with is gone.`,
        `Restore ${refusal.workflow}, then call again.`,
      );
    case "moved": {
      const { step, workflow, at, last, open, onRecord } = refusal;
      const how =
        last === undefined
          ? "it was completed or restarted in the meantime"
          : `${moveText(last, "bot")} in the meantime`;
      return {
        error: "conflict",
        message: `${step} is no longer open here: ${how}, and ${workflow} is now ${at === null ? "finished" : `at ${namedAttemptText(at, open?.attempt)}`}. ${onRecord ? "Earlier submissions stay on record (kept); nothing from this call was kept." : "Nothing from this call was kept."}`,
        required_action: `Call the bot's tool to go to the current action; to redo ${step}, open it with resume "retry".`,
      };
    }
    case "ambiguous": {
      const open = refusal.open.map(({ workflow, step }) => `${workflow}.${step}`);
      return {
        error: "conflict",
        message: `Several actions are open on this connection: ${open.join(", ")}. Nothing from this call was kept.`,
        required_action: "Send it again with the behavior and action you mean.",
      };
    }
    case "not_opened":
      return sequenceViolation(
        `${refusal.step} is not open: it has not been started.`,
        `Open ${refusal.step} first with its behavior's tool, do its work, then complete it.`,
      );
    case "nothing_started":
      return sequenceViolation(
        `Nothing is started in ${refusal.workflow}, so there is nothing to complete.`,
        `Call the bot's tool to open ${refusal.at ?? "the next action"} first.`,
      );
    case "aside_not_open":
      return sequenceViolation(
        `${refusal.step} is not open.`,
        `Open it first: call the bot's tool with action "${refusal.step}".`,
      );
    case "archived":
      return {
        error: "conflict",
        message: "A person archived this run; it accepts nothing more.",
        required_action: `Call a behavior's tool with resume "restart" to start over.`,
      };
    default:
      return sharedRefusalMessage(refusal, (step) => step, "complete_action");
  }
}

function sequenceViolation(message: string, required_action: string): RefusalMessage {
  return { error: "action_sequence_violation", message, required_action };
}

function invalidDefinition(message: string, required_action: string): RefusalMessage {
  return { error: "invalid_definition", message, required_action };
}
