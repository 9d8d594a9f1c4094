/** What follows a completed step. */
export type Next = { readonly step: string; readonly workflow: string; readonly auto: boolean };

/** The instruction that a completed step hands to the assistant. */
export function proceedText(next: Next): string {
  return next.auto
    ? `Automatically proceed to ${next.step} now (no human confirmation needed)`
    : `When done, proceed to ${next.step}`;
}

export const workflowCompleteText = "Workflow is complete. No further actions required.";

/** The question that an interrupted step raises. */
export function interruptedText(step: string): string {
  return `${step} was started but not completed. Retry or continue?`;
}
