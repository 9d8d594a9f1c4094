/** One attempt at one step of one pass; every event about a step names it. */
export type StepRef = {
  readonly workflow: string;
  readonly pass: number;
  readonly step: string;
  readonly attempt: number;
};

/** Names a step of a stream, for all passes and attempts. */
export function stepKey({ workflow, step }: Pick<StepRef, "workflow" | "step">): string {
  return JSON.stringify([workflow, step]);
}

/** Names one attempt of a stream. A refusal about no attempt names less, so it matches none. */
export function attemptKey({ workflow, pass, step, attempt }: Partial<StepRef>): string {
  return JSON.stringify([workflow, pass, step, attempt]);
}

/** Tells if two refs name the same attempt. */
export function isSameAttempt(one: StepRef, other: StepRef): boolean {
  return (
    one.workflow === other.workflow &&
    one.pass === other.pass &&
    one.step === other.step &&
    one.attempt === other.attempt
  );
}
