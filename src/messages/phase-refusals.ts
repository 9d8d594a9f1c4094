import type { Problem } from "../gates/problem.ts";
import type { Refusal } from "../workflow/refusal.ts";
import type { SessionView } from "../workflow/session-view.ts";
import { skipTexts } from "./fixed-texts.ts";
import { namedAttemptText, sharedRefusalMessage } from "./gate-refusals.ts";
import { moveText } from "./move-text.ts";
import type { RefusalMessage } from "./refusal-codes.ts";

/** The parts of a session that a refusal mentions; null before there is one. */
export type RefusedSession = Pick<
  SessionView,
  "session_id" | "current_phase" | "completed_phases" | "workflow_complete"
>;

/** Words a refusal for phased workflows; `isShown`: the reply carries the current phase. */
export function phaseRefusalMessage(
  refusal: Refusal,
  session: RefusedSession | null,
  isShown: boolean,
): RefusalMessage {
  switch (refusal.kind) {
    case "ahead":
      return skippedMessage(refusal.step, refusal.at ?? String(session?.current_phase ?? ""), refusal.at === null);
    case "workflow_ahead":
      return skippedMessage(refusal.workflow, refusal.at ?? "", refusal.at === null);
    case "unknown_step":
      return skippedMessage(refusal.step, String(session?.current_phase ?? ""), session?.workflow_complete === true);
    case "unknown_workflow":
      return unknownWorkflowMessage(refusal.workflow ?? "", refusal.known);
    case "closed":
    case "unopenable":
      return invalidDefinitionMessage(`The next phase can't start: ${refusal.problem.message}.`, refusal.problem);
    case "invalid_definition": {
      const { file, message } = refusal.problem;
      const what = session === null ? "The workflow can't start" : "The session can't continue";
      return invalidDefinitionMessage(`${what}: ${file} cannot be used (${message}).`, refusal.problem);
    }
    case "definition_gone":
      return {
        error: "invalid_definition",
        message: definitionGoneText(refusal.workflow),
        required_action: `Restore workflows/${refusal.workflow} as it was, or archive the session (waymark archive ${session?.session_id ?? "SESSION"}) and start again.`,
      };
    case "moved":
      return movedMessage(refusal, session, isShown);
    case "ambiguous":
      return {
        error: "conflict",
        message: `Several phases are open: ${refusal.open.map(({ workflow, step }) => `Phase ${step} of ${workflow}`).join(", ")}. Nothing from this call was kept.`,
        required_action: "Send it again with the phase you mean.",
      };
    case "not_opened":
      return notOpenMessage(`Phase ${refusal.step} is not open: it has not been started.`, refusal.step);
    case "nothing_started":
      return notOpenMessage("No phase is open, so there is nothing to complete.", refusal.at);
    case "aside_not_open":
      return notOpenMessage(`${refusal.step} is not open.`, null);
    case "archived":
      return {
        error: "conflict",
        message: "A person archived this session; it accepts no more evidence.",
        required_action: "Call start_workflow to begin a new session.",
      };
    default:
      return sharedRefusalMessage(refusal, (step) => `Phase ${step}`, "complete_phase");
  }
}

/** Refuses a session id that does not exist. */
export function sessionNotFoundMessage(session: string): RefusalMessage {
  return sharedRefusalMessage({ kind: "no_session", session }, (step) => step, "");
}

/** Says that the definition of a session is gone. */
export function definitionGoneText(type: string): string {
  return `The definition of ${type} that this session started with is gone, and the files now differ.`;
}

function skippedMessage(requested: string, at: string, isAtEnd: boolean): RefusalMessage {
  const { message, reason, required_action } = skipTexts(requested, at);
  const then = isAtEnd ? "Every phase is complete: review one of them, or start another workflow" : required_action;
  return {
    error: "phase_sequence_violation",
    violation_type: "attempted_skip",
    message,
    reason,
    required_action: then,
  };
}

function notOpenMessage(message: string, phase: string | null): RefusalMessage {
  return {
    error: "phase_sequence_violation",
    message,
    required_action: `Read ${phase === null ? "the current phase" : `Phase ${phase}`} with get_phase_content first, do its work, then complete it.`,
  };
}

function movedMessage(
  { step, at, last, open }: Refusal & { kind: "moved" },
  session: RefusedSession | null,
  isShown: boolean,
): RefusalMessage {
  const isDone = session?.completed_phases.includes(Number(step)) === true;
  const how =
    last === undefined
      ? "was completed or restarted in the meantime"
      : `is no longer open: ${moveText(last, "session")}`;
  const what = isDone ? "is already completed" : how;
  const now =
    at === null
      ? "the workflow is complete"
      : `the session is now on ${namedAttemptText(`Phase ${at}`, open?.attempt)}`;
  if (at === step)
    return {
      error: "conflict",
      message: `${namedAttemptText(`Phase ${step}`, open?.attempt)} was started again since you read it. Nothing of this call counts.`,
      required_action: `Read it with get_phase_content, then call complete_phase again.`,
    };
  return {
    error: "conflict",
    message: `Phase ${step} ${what}, and ${now}.`,
    required_action:
      at === null
        ? "Nothing is left to do here; get_phase_content shows completed phases."
        : `Continue with Phase ${at}: ${isShown ? "its content is in this reply" : "get_phase_content shows it"}.`,
  };
}

function unknownWorkflowMessage(type: string, known: readonly string[]): RefusalMessage {
  return {
    error: "unknown_workflow",
    message: `There is no workflow ${type.slice(0, 100)}.`,
    required_action:
      known.length === 0
        ? "Add one under .waymark/workflows/ first."
        : `Use one of: ${known.join(", ").slice(0, 600)}.`,
  };
}

function invalidDefinitionMessage(message: string, { file, fix }: Problem): RefusalMessage {
  return {
    error: "invalid_definition",
    message,
    required_action: fix ?? `Ask the author to fix ${file}: waymark check shows what is wrong.`,
  };
}
