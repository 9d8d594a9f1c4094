import type { DeskId } from "../../engine/ports.ts";
import type { CheckResult } from "../../evidence/check.ts";
import type { JsonObject } from "../../evidence/json.ts";
import type { Desk, Run, StepState } from "../../workflow/desk.ts";
import type { Event } from "../../workflow/events.ts";
import { isSameAttempt } from "../../workflow/step-ref.ts";

/** A history up to one of its records, and what it adds up to there. */
export type HistorySoFar = {
  readonly id: DeskId;
  readonly first: string;
  readonly head: string;
  readonly seq: number;
  readonly desk: Desk;
  readonly events: readonly Event[];
};

/** One pass through a workflow, as an attestation tells of it. */
export type WalkAttested = {
  readonly desk: DeskId;
  /** The history that it is taken from: its first record, and the last that was looked at. */
  readonly history: { readonly first: string; readonly head: string; readonly seq: number };
  readonly workflow: string;
  readonly pass: number;
  readonly target: string | null;
  /** Names the copy of its definition that a session keeps. */
  readonly definition: string | null;
  readonly finished: boolean;
  readonly steps: readonly StepAttested[];
};

/** One step of it: by what it was judged, what its checks found, and on whose word it counts. */
export type StepAttested = {
  readonly step: string;
  readonly status: StepState["status"];
  readonly attempt: number;
  readonly at?: string;
  readonly judged_by?: string;
  /** Names all that was handed in and found, as it was shown to a person. */
  readonly digest?: string;
  readonly word?: JsonObject;
  readonly checks?: readonly JsonObject[];
  readonly files?: readonly FileAttested[];
};

export type FileAttested = { readonly path: string; readonly sha256: string };

/** What can be attested of the walks of a history: those that count, the latest pass of each workflow. */
export function walksAttested({ id, first, head, seq, desk, events }: HistorySoFar): readonly WalkAttested[] {
  const { kind, name, run } = id;
  return [...desk.runs.values()].map((walk) => {
    const steps = [...walk.steps].filter(([, { status }]) => status !== "superseded");
    const completions = steps.map(([step, state]) => completionOf(events, walk, step, state));
    return {
      desk: { kind, name, ...(run === undefined ? {} : { run }) },
      history: { first, head, seq },
      workflow: walk.workflow,
      pass: walk.pass,
      target: desk.session?.target ?? null,
      definition: desk.session?.definition ?? null,
      finished: completions.some((one) => one?.finished === true),
      steps: steps.map(([step, state], at) => stepAttested(step, state, completions[at])),
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

function stepAttested(
  step: string,
  { status, attempt, checks }: StepState,
  completed: Completed | undefined,
): StepAttested {
  if (completed === undefined) return { step, status, attempt };
  const { at, judgedBy, digest, word, client, name, content } = completed;
  return {
    step,
    status,
    attempt,
    at,
    ...(judgedBy === undefined ? {} : { judged_by: judgedBy }),
    ...(digest === undefined ? {} : { digest }),
    word: { ...word, ...(client === undefined ? {} : { client }), ...(name === undefined ? {} : { name }) },
    ...(checks === undefined ? {} : { checks: checks.map(checkAttested) }),
    ...(content === undefined ? {} : { files: content.map(({ path, sha256 }) => ({ path, sha256 })) }),
  };
}

/** What a check wrote is no matter of an attestation, nor is a mark that only one machine can read. */
function checkAttested({ output: _, seal: __, ...result }: CheckResult): JsonObject {
  return JSON.parse(JSON.stringify(result));
}
