import type { Problem } from "../evidence/problem.ts";
import type { Refusal } from "../workflow/refusal.ts";
import type { RefusalWords } from "./codes.ts";
import { sharedRefusal } from "./gate-refusals.ts";
import { moveInWords } from "./move.ts";
import type { SessionView } from "./session-view.ts";
import { skipTexts } from "./texts.ts";

/** What is known of a session that a no is about: nothing where there is none yet. */
export type Refused = Pick<SessionView, "session_id" | "current_phase" | "completed_phases" | "workflow_complete">;

/** Puts a no into the words of phased workflows: phases, checkpoints, sessions. `isShown`: the current phase goes out with it. */
export function phaseRefusal(refusal: Refusal, session: Refused | null, isShown: boolean): RefusalWords {
  switch (refusal.kind) {
    case "ahead":
      return skipped(refusal.step, refusal.at ?? String(session?.current_phase ?? ""), refusal.at === null);
    case "workflow_ahead":
      return skipped(refusal.workflow, refusal.at ?? "", refusal.at === null);
    case "unknown_step":
      return skipped(refusal.step, String(session?.current_phase ?? ""), session?.workflow_complete === true);
    case "unknown_workflow":
      return unknownWorkflow(refusal.workflow ?? "", refusal.known);
    case "closed":
    case "unopenable":
      return unusable(`What follows is closed: ${refusal.problem.message}.`, refusal.problem);
    case "invalid_definition": {
      const { file, message } = refusal.problem;
      const what = session === null ? "The workflow does not start" : "The session cannot go on";
      return unusable(`${what}: ${file} cannot be used (${message}).`, refusal.problem);
    }
    case "definition_gone":
      return {
        error: "invalid_definition",
        message: definitionGoneText(refusal.workflow),
        required_action: `Restore workflows/${refusal.workflow} as it was, or archive the session (waymark archive ${session?.session_id ?? "SESSION"}) and start again.`,
      };
    case "moved":
      return moved(refusal, session, isShown);
    case "ambiguous":
      return {
        error: "conflict",
        message: `Several phases are open: ${refusal.open.map(({ workflow, step }) => `Phase ${step} of ${workflow}`).join(", ")}. Nothing of this call was kept.`,
        required_action: "Send it again with the phase that you mean.",
      };
    case "not_opened":
      return notOpen(`Phase ${refusal.step} is not open: nobody has started it.`, refusal.step);
    case "nothing_started":
      return notOpen("No phase is open, so there is nothing to complete.", refusal.at);
    case "aside_not_open":
      return notOpen(`${refusal.step} is not open.`, null);
    case "archived":
      return {
        error: "conflict",
        message: "This session was archived by a person; it takes no more evidence.",
        required_action: "Call start_workflow to begin a new session.",
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
      return sharedRefusal(refusal, (step) => `Phase ${step}`);
  }
}

/** No to a session that is not there. */
export function sessionNotFound(session: string): RefusalWords {
  return {
    error: "session_not_found",
    message: `There is no session ${session.slice(0, 100)}.`,
    required_action: "Call get_workflow_state without session_id for the list, or start_workflow to begin one.",
  };
}

/** What is to be said of a session whose definition is gone. */
export function definitionGoneText(type: string): string {
  return `The definition of ${type} that this session began with is gone, and the files say something else now.`;
}

function skipped(asked: string, at: string, isAtEnd: boolean): RefusalWords {
  const { message, reason, required_action } = skipTexts(asked, at);
  const then = isAtEnd ? "Every phase is complete: review one of them, or start another workflow" : required_action;
  return {
    error: "phase_sequence_violation",
    violation_type: "attempted_skip",
    message,
    reason,
    required_action: then,
  };
}

function notOpen(message: string, phase: string | null): RefusalWords {
  return {
    error: "phase_sequence_violation",
    message,
    required_action: `Read ${phase === null ? "the current phase" : `Phase ${phase}`} with get_phase_content first, do its work, then complete it.`,
  };
}

function moved(
  { step, at, last }: Refusal & { kind: "moved" },
  session: Refused | null,
  isShown: boolean,
): RefusalWords {
  const isDone = session?.completed_phases.includes(Number(step)) === true;
  const how =
    last === undefined ? "was completed or begun anew meanwhile" : `is no longer open: ${moveInWords(last, "session")}`;
  const what = isDone ? "is already completed" : how;
  const now = at === null ? "the workflow is complete" : `the session is now on Phase ${at}`;
  return {
    error: "conflict",
    message: `Phase ${step} ${what}, and ${now}.`,
    required_action:
      at === null
        ? "Nothing is left to do here: read a phase with get_phase_content."
        : `Go on with Phase ${at}: ${isShown ? "its content is in this answer" : "get_phase_content shows it"}.`,
  };
}

function unknownWorkflow(type: string, known: readonly string[]): RefusalWords {
  return {
    error: "unknown_workflow",
    message: `There is no workflow ${type.slice(0, 100)}.`,
    required_action:
      known.length === 0
        ? "Put one under .waymark/workflows/ first."
        : `Use one of: ${known.join(", ").slice(0, 600)}.`,
  };
}

function unusable(message: string, { file, fix }: Problem): RefusalWords {
  return {
    error: "invalid_definition",
    message,
    required_action: fix ?? `Ask the author to mend ${file}: waymark check shows what is wrong.`,
  };
}
