import { digestOf } from "../kit/json.ts";
import type { Caller, CompleteCommand } from "./command.ts";
import type { Stamp, StepRef } from "./events.ts";
import type { Completion, StreamSnapshot } from "./stream-snapshot.ts";

/** An attempt that a caller can name, with its completion if it has one. */
export type KnownAttempt = {
  readonly ref: StepRef;
  readonly id?: string;
  readonly isOpen: boolean;
  readonly completion?: Completion;
};

/** The short id of a new attempt, different from those that are known; three digits are one token. */
export function attemptId({ at, by }: Stamp, ref: StepRef, stream: StreamSnapshot): string {
  const known = knownAttempts(stream);
  for (let salt = 0; ; salt++) {
    const digest = digestOf([at, by, { ...ref }, ...(salt === 0 ? [] : [salt])]);
    const id = `a${String(Number.parseInt(digest.slice(0, 12), 16) % 1_000_000).padStart(6, "0")}`;
    if (!known.some((one) => one.id === id)) return id;
  }
}

/** Finds an attempt by its id, also one that another has replaced. */
export function findAttempt(stream: StreamSnapshot, id: string): KnownAttempt | undefined {
  return knownAttempts(stream).find((one) => one.id === id);
}

/** Finds an attempt by its ref, also one that another has replaced. */
export function completionOf(stream: StreamSnapshot, ref: StepRef): Completion | undefined {
  return knownAttempts(stream).find(({ ref: { workflow, pass, step, attempt } }) => {
    const isSameStep = workflow === ref.workflow && step === ref.step;
    return isSameStep && pass === ref.pass && attempt === ref.attempt;
  })?.completion;
}

/** The earlier completion that a call may be a late copy of: it names no attempt, and its arguments are the same. */
export function lateCopy(
  { workflow, step, attempt, meant, approvedSubmission, fingerprint, submissionFingerprint }: CompleteCommand,
  { stream, caller }: { readonly stream: StreamSnapshot; readonly caller: Caller },
): StepRef | undefined {
  if (caller.mayArriveLate !== true || (attempt ?? meant ?? approvedSubmission) !== undefined) return undefined;
  return knownAttempts(stream).findLast(({ ref, completion }) => {
    if (completion === undefined) return false;
    const { by, approvedFingerprint } = completion;
    const isNamed = (workflow ?? ref.workflow) === ref.workflow && (step ?? ref.step) === ref.step;
    const isOwn = by === caller.id && completion.fingerprint === fingerprint;
    const sent = [fingerprint, submissionFingerprint];
    return isNamed && (isOwn || (approvedFingerprint !== undefined && sent.includes(approvedFingerprint)));
  })?.ref;
}

function knownAttempts({ runs, independentSteps, pastCompletions }: StreamSnapshot): readonly KnownAttempt[] {
  const latest = [...runs.values()].flatMap(({ workflow, pass, steps }) =>
    [...steps].map(([step, { attempt, id, status, completion }]): KnownAttempt => {
      const ref = { workflow, pass, step, attempt };
      return { ref, ...(id && { id }), isOpen: status === "started", ...(completion && { completion }) };
    }),
  );
  const independent = [...independentSteps].map(([step, { attempt, id, status, completion }]): KnownAttempt => {
    const ref = independentRef(step, attempt);
    return { ref, ...(id && { id }), isOpen: status === "started", ...(completion && { completion }) };
  });
  return [...pastCompletions.map((past) => ({ ...past, isOpen: false })), ...latest, ...independent];
}

/** Names an attempt of an independent step, which belongs to no pass. */
export function independentRef(step: string, attempt: number): StepRef {
  return { workflow: "", pass: 0, step, attempt };
}
