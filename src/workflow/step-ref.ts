/** Which attempt at which step of which pass: what every event about a step names. */
export type StepRef = {
  readonly workflow: string;
  readonly pass: number;
  readonly step: string;
  readonly attempt: number;
};

/** Names a step of a desk, whatever the pass and the attempt. */
export function stepKey({ workflow, step }: Pick<StepRef, "workflow" | "step">): string {
  return JSON.stringify([workflow, step]);
}

/** Names one attempt of a desk. A refusal that is about no attempt names less, and so comes to the key of none. */
export function attemptKey({ workflow, pass, step, attempt }: Partial<StepRef>): string {
  return JSON.stringify([workflow, pass, step, attempt]);
}

/** Whether two name the same attempt. */
export function isSameAttempt(one: StepRef, other: StepRef): boolean {
  return (
    one.workflow === other.workflow &&
    one.pass === other.pass &&
    one.step === other.step &&
    one.attempt === other.attempt
  );
}
