import type { NextStep } from "../workflow/events.ts";

/** The instruction after a completed step. */
export function proceedText(next: NextStep): string {
  return next.auto
    ? `Automatically proceed to ${next.step} now (no human confirmation needed)`
    : `When done, proceed to ${next.step}`;
}

/** The text when no step is left. */
export const workflowCompleteText = "Workflow is complete. No further actions required.";

/** The question about an interrupted step. */
export function interruptedText(step: string): string {
  return `${step} was started but not completed. Retry or continue?`;
}

/** The warning when the state could not be saved. */
export const unsavedText = "Unable to save workflow state. Progress may not be preserved.";

/** The warning when the activity log could not be written. */
export const unloggedText = "Unable to log activity. Audit trail may be incomplete.";

/** The message when a gate lacks evidence. */
export const incompleteText = "Complete checkpoint requirements to proceed";

/** The texts that refuse a phase ahead of the current one. */
export function skipTexts(requested: string, at: string): { message: string; reason: string; required_action: string } {
  return {
    message: `Cannot access Phase ${requested}`,
    reason: `Currently on Phase ${at}`,
    required_action: `Complete Phase ${at} checkpoint first`,
  };
}
