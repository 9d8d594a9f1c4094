import { defined } from "../kit/defined.ts";
import { isObject } from "../kit/json.ts";
import type { StreamId } from "./stream-id.ts";
import { isOpen, isSatisfied, type SessionState, type StepState, type StreamSnapshot } from "./stream-snapshot.ts";

/** An open step, as far as a host's hook needs it. */
export type OpenViewStep = {
  readonly workflow: string;
  readonly step: string;
  readonly attempt: number;
  readonly since: string;
  /** Globs of files that may change while the step is open; undefined allows any. */
  readonly edits?: readonly string[];
  /** Since when the step has been waiting for a person. */
  readonly waiting?: string;
  /** The reason why the assistant reported it as blocked. */
  readonly blocked?: string;
  /** It is completed, and led back as often as it may. */
  readonly atBound?: true;
  /** The step whose completion led back to it. */
  readonly cameBackFrom?: string;
  /** Its round, if a route led back to it. */
  readonly round?: number;
};

/** The work in progress on a stream: its open steps, the focused one first, or the next step. */
export type OpenView = {
  readonly format: 1;
  readonly desk: StreamId;
  readonly steps: readonly OpenViewStep[];
  readonly next?: { readonly workflow: string; readonly step: string };
  readonly completed: number;
  /** A session's target and number of phases. */
  readonly session?: { readonly target: string | null; readonly total: number; readonly run?: string };
};

/** Shows the work in progress on a stream; null if it has not begun, is finished or is archived. */
export function openView(id: StreamId, stream: StreamSnapshot): OpenView | null {
  const { focus, session, archivedAt } = stream;
  if (archivedAt !== null) return null;
  const steps = [...stream.runs.values()]
    .flatMap(({ workflow, steps }) =>
      [...steps].flatMap(([step, state]) => (isOpen(state) ? [openStepView(workflow, step, state)] : [])),
    )
    .sort(
      (a, b) =>
        Number(b.blocked !== undefined) - Number(a.blocked !== undefined) ||
        Number(b.workflow === focus?.workflow) - Number(a.workflow === focus?.workflow),
    );
  const next = steps.length === 0 ? nextStepOf(stream) : undefined;
  if (steps.length === 0 && next === undefined) return null;
  return {
    format: 1,
    desk: id,
    steps,
    ...defined({ next }),
    completed: [...stream.runs.values()].flatMap(({ steps: own }) => [...own.values()].filter(isSatisfied)).length,
    ...(session === null ? {} : { session: sessionOf(session) }),
  };
}

function sessionOf({ target, total, run }: SessionState): NonNullable<OpenView["session"]> {
  return { target, total, ...defined({ run }) };
}

/** Parses a view; undefined if the text is not one. */
export function readOpenView(text: string): OpenView | undefined {
  try {
    const view: unknown = JSON.parse(text);
    const isView = isObject(view) && view.format === 1 && isStreamId(view.desk) && typeof view.completed === "number";
    const isWhole = isView && Array.isArray(view.steps) && view.steps.every(isStep) && isNext(view.next);
    return isWhole && isSessionOrNone(view.session) ? (view as unknown as OpenView) : undefined;
  } catch {
    return undefined;
  }
}

const isText = (value: unknown): boolean => typeof value === "string";
const isTextOrNone = (value: unknown): boolean => value === undefined || isText(value);

function isStreamId(value: unknown): boolean {
  return (
    isObject(value) &&
    (value.kind === "bot" || value.kind === "session") &&
    isText(value.name) &&
    isTextOrNone(value.run)
  );
}

function isStep(value: unknown): boolean {
  if (!isObject(value) || typeof value.attempt !== "number") return false;
  const { workflow, step, since, edits, waiting, blocked, cameBackFrom, round = 1 } = value;
  const areEdits = edits === undefined || (Array.isArray(edits) && edits.every(isText));
  return (
    typeof round === "number" &&
    [workflow, step, since].every(isText) &&
    areEdits &&
    [waiting, blocked, cameBackFrom].every(isTextOrNone)
  );
}

function isNext(value: unknown): boolean {
  return value === undefined || (isObject(value) && isText(value.workflow) && isText(value.step));
}

function isSessionOrNone(value: unknown): boolean {
  if (value === undefined) return true;
  if (!isObject(value) || typeof value.total !== "number") return false;
  return (value.target === null || isText(value.target)) && isTextOrNone(value.run);
}

function openStepView(
  workflow: string,
  step: string,
  { attempt, startedAt, edits, waiting, blocked, cameBackFrom, rounds = 0, status }: StepState,
): OpenViewStep {
  return {
    workflow,
    step,
    attempt,
    since: startedAt,
    ...defined({ edits }),
    ...defined({ waiting: blocked?.since ?? waiting?.since, blocked: blocked?.reason }),
    ...(cameBackFrom === undefined
      ? {}
      : { cameBackFrom: cameBackFrom.step, round: status === "completed" ? rounds : rounds + 1 }),
    ...(blocked?.bound === undefined ? {} : { atBound: true }),
  };
}

/** The step that was announced but not opened yet: after the last completion, or after going back. */
function nextStepOf({ focus, runs, lastCompleted }: StreamSnapshot): OpenView["next"] {
  if (focus === null) return undefined;
  if (focus.state === "started" && focus.step !== null) return { workflow: focus.workflow, step: focus.step };
  const run = runs.get(focus.workflow);
  const last = lastCompleted?.workflow === focus.workflow ? run?.steps.get(lastCompleted.step) : undefined;
  const next = last?.completion?.next;
  const isDone = next !== null && next !== undefined && run?.steps.get(next.step)?.status === "completed";
  return next === null || next === undefined || isDone ? undefined : { workflow: next.workflow, step: next.step };
}
