import type { CheckResult } from "../../gates/check.ts";
import type { Waived } from "../../gates/waiver.ts";
import { defined } from "../../kit/defined.ts";
import type { JsonObject } from "../../kit/json.ts";
import type { Event } from "../../workflow/events.ts";
import { outcomeOf } from "../../workflow/position.ts";
import { passedBound } from "../../workflow/replay-blocked.ts";
import { isSameAttempt } from "../../workflow/step-ref.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import type { Run, StepState, StreamSnapshot } from "../../workflow/stream-snapshot.ts";

/** A history up to one of its records, with the state derived from it. */
export type HistorySoFar = {
  readonly id: StreamId;
  readonly first: string;
  readonly head: string;
  readonly seq: number;
  readonly stream: StreamSnapshot;
  readonly events: readonly Event[];
};

/** One pass through a workflow as an attestation states it. */
export type AttestedWalk = {
  readonly desk: StreamId;
  /** The source history: its first record and the last one considered. */
  readonly history: { readonly first: string; readonly head: string; readonly seq: number };
  readonly workflow: string;
  readonly pass: number;
  readonly target: string | null;
  /** The session's pinned copy of its definition. */
  readonly definition: string | null;
  readonly finished: boolean;
  /** How it ended before its last step. */
  readonly outcome?: string;
  /** The inputs of the session. */
  readonly inputs?: JsonObject;
  readonly steps: readonly AttestedStep[];
};

/** One step: the gate that judged it, its check results and its approval. */
export type AttestedStep = {
  readonly step: string;
  readonly status: StepState["status"];
  readonly attempt: number;
  /** The round it was completed in, and the route it took. */
  readonly round?: number;
  readonly route?: JsonObject;
  readonly at?: string;
  readonly judged_by?: string;
  /** The digest of what was submitted and found, as shown to a person. */
  readonly digest?: string;
  readonly word?: JsonObject;
  readonly checks?: readonly JsonObject[];
  /** The requirements that a person waived, and why. */
  readonly waived?: readonly JsonObject[];
  readonly files?: readonly AttestedFile[];
};

export type AttestedFile = { readonly path: string; readonly sha256: string };

/** The walks of a history that can be attested: the latest pass of each workflow that counts. */
export function attestedWalks({ id, first, head, seq, stream, events }: HistorySoFar): readonly AttestedWalk[] {
  const { kind, name, run } = id;
  return [...stream.runs.values()].map((walk) => {
    const steps = [...walk.steps].filter(([, { status }]) => status !== "superseded");
    const completions = steps.map(([step, state]) => completionOf(events, walk, step, state));
    return {
      desk: { kind, name, ...defined({ run }) },
      history: { first, head, seq },
      workflow: walk.workflow,
      pass: walk.pass,
      target: stream.session?.target ?? null,
      definition: stream.session?.definition ?? null,
      finished: outcomeOf(walk) !== undefined || completions.some((one) => one?.finished === true),
      ...defined({ outcome: outcomeOf(walk), inputs: stream.session?.inputs }),
      steps: steps.map(([step, state], at) =>
        attestStep(step, state, completions[at], boundsPassed(events, walk, step)),
      ),
    };
  });
}

type Completed = Event & { readonly type: "completed" };

function completionOf(
  events: readonly Event[],
  { workflow, pass }: Run,
  step: string,
  { status, attempt }: StepState,
): Completed | undefined {
  if (status !== "completed") return undefined;
  const ref = { workflow, pass, step, attempt };
  return events.findLast((event): event is Completed => event.type === "completed" && isSameAttempt(event, ref));
}

/** The bounds of a step that people passed, in the form of what they waived. */
function boundsPassed(events: readonly Event[], { workflow, pass }: Run, step: string): readonly Waived[] {
  return events.flatMap((event) =>
    event.type === "answered" &&
    event.follows !== undefined &&
    event.workflow === workflow &&
    event.pass === pass &&
    event.step === step
      ? [passedBound(event)]
      : [],
  );
}

function attestStep(
  step: string,
  { status, attempt, checks, rounds = 1 }: StepState,
  completed: Completed | undefined,
  bounds: readonly Waived[],
): AttestedStep {
  if (completed === undefined) return { step, status, attempt };
  const { at, judgedBy, digest, word, client, name, content, waived: fields = [], taken } = completed;
  const waived = [...fields, ...bounds];
  return {
    step,
    status,
    attempt,
    at,
    ...defined({ judged_by: judgedBy, digest }),
    word: { ...word, ...defined({ client, name }) },
    ...(checks === undefined ? {} : { checks: checks.map(attestCheck) }),
    ...(rounds > 1 ? { round: rounds } : {}),
    ...(taken === undefined ? {} : { route: { ...taken } }),
    ...(waived.length === 0 ? {} : { waived: waived.map((one) => ({ ...one })) }),
    ...(content === undefined ? {} : { files: content.map(({ path, sha256 }) => ({ path, sha256 })) }),
  };
}

/** Leaves out a check's output and its seal, which only this machine can read. */
function attestCheck({ output: _, seal: __, ...result }: CheckResult): JsonObject {
  return JSON.parse(JSON.stringify(result));
}
