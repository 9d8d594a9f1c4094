import type { Next } from "../workflow/events.ts";

/** The instruction that a completed step hands to the assistant. */
export function proceedText(next: Next): string {
  return next.auto
    ? `Automatically proceed to ${next.step} now (no human confirmation needed)`
    : `When done, proceed to ${next.step}`;
}

/** What is said where nothing is left to do. */
export const workflowCompleteText = "Workflow is complete. No further actions required.";

/** The question that an interrupted step raises. */
export function interruptedText(step: string): string {
  return `${step} was started but not completed. Retry or continue?`;
}

/** What is said where nothing could be written. */
export const unsavedText = "Unable to save workflow state. Progress may not be preserved.";

/** What is said where the log could not be written. */
export const unloggedText = "Unable to log activity. Audit trail may be incomplete.";

/** The no of a gate that lacks evidence. */
export const incompleteText = "Complete checkpoint requirements to proceed";

/** The no to a phase whose turn has not come: what, where instead, and what to do. */
export function skipTexts(asked: string, at: string): { message: string; reason: string; required_action: string } {
  return {
    message: `Cannot access Phase ${asked}`,
    reason: `Currently on Phase ${at}`,
    required_action: `Complete Phase ${at} checkpoint first`,
  };
}
