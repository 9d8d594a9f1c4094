import type { DeskId } from "../engine/ports.ts";
import { isObject } from "../evidence/json.ts";
import { type Desk, isSatisfied, type SessionState, type StepState } from "../workflow/desk.ts";

/** A step that is open, as far as a host's hook needs to know it. */
export type OpenViewStep = {
  readonly workflow: string;
  readonly step: string;
  readonly attempt: number;
  readonly since: string;
  /** What may be changed while it is open; anything, where nobody says. */
  readonly edits?: readonly string[];
  /** A person's word is what it waits for, since then. */
  readonly waiting?: string;
};

/** What of a desk is under way: its open steps, the one where the work is first, or what comes next. */
export type OpenView = {
  readonly format: 1;
  readonly desk: DeskId;
  readonly steps: readonly OpenViewStep[];
  readonly next?: { readonly workflow: string; readonly step: string };
  readonly completed: number;
  /** Of a session: what it is about, and how many phases it has. */
  readonly session?: { readonly target: string | null; readonly total: number; readonly run?: string };
};

/** Shows what of a desk is under way; null where nothing is: not begun, finished or put away. */
export function openView(id: DeskId, desk: Desk): OpenView | null {
  const { focus, session, archivedAt } = desk;
  if (archivedAt !== null) return null;
  const steps = [...desk.runs.values()]
    .flatMap(({ workflow, steps }) =>
      [...steps].flatMap(([step, state]) => (state.status === "started" ? [shown(workflow, step, state)] : [])),
    )
    .sort((a, b) => Number(b.workflow === focus?.workflow) - Number(a.workflow === focus?.workflow));
  const next = steps.length === 0 ? nextIn(desk) : undefined;
  if (steps.length === 0 && next === undefined) return null;
  return {
    format: 1,
    desk: id,
    steps,
    ...(next === undefined ? {} : { next }),
    completed: [...desk.runs.values()].flatMap(({ steps: own }) => [...own.values()].filter(isSatisfied)).length,
    ...(session === null ? {} : { session: aboutSession(session) }),
  };
}

function aboutSession({ target, total, run }: SessionState): NonNullable<OpenView["session"]> {
  return { target, total, ...(run === undefined ? {} : { run }) };
}

/** Reads a view back; undefined for anything else. */
export function readOpenView(text: string): OpenView | undefined {
  try {
    const view: unknown = JSON.parse(text);
    const isView = isObject(view) && view.format === 1 && isDesk(view.desk) && typeof view.completed === "number";
    const isWhole = isView && Array.isArray(view.steps) && view.steps.every(isStep) && isNext(view.next);
    return isWhole && isAbout(view.session) ? (view as unknown as OpenView) : undefined;
  } catch {
    return undefined;
  }
}

const isText = (value: unknown): boolean => typeof value === "string";
const isTextOrNone = (value: unknown): boolean => value === undefined || isText(value);

function isDesk(value: unknown): boolean {
  return (
    isObject(value) &&
    (value.kind === "bot" || value.kind === "session") &&
    isText(value.name) &&
    isTextOrNone(value.run)
  );
}

function isStep(value: unknown): boolean {
  if (!isObject(value) || typeof value.attempt !== "number") return false;
  const { workflow, step, since, edits, waiting } = value;
  const areEdits = edits === undefined || (Array.isArray(edits) && edits.every(isText));
  return [workflow, step, since].every(isText) && areEdits && isTextOrNone(waiting);
}

function isNext(value: unknown): boolean {
  return value === undefined || (isObject(value) && isText(value.workflow) && isText(value.step));
}

function isAbout(value: unknown): boolean {
  if (value === undefined) return true;
  if (!isObject(value) || typeof value.total !== "number") return false;
  return (value.target === null || isText(value.target)) && isTextOrNone(value.run);
}

function shown(workflow: string, step: string, { attempt, startedAt, edits, waiting }: StepState): OpenViewStep {
  return {
    workflow,
    step,
    attempt,
    since: startedAt,
    ...(edits === undefined ? {} : { edits }),
    ...(waiting === undefined ? {} : { waiting: waiting.since }),
  };
}

/** What was announced and nobody has opened yet: what follows the last completion, or what somebody went back to. */
function nextIn({ focus, runs, lastCompleted }: Desk): OpenView["next"] {
  if (focus === null) return undefined;
  if (focus.state === "started" && focus.step !== null) return { workflow: focus.workflow, step: focus.step };
  const run = runs.get(focus.workflow);
  const last = lastCompleted?.workflow === focus.workflow ? run?.steps.get(lastCompleted.step) : undefined;
  const next = last?.completion?.next;
  const isDone = next !== null && next !== undefined && run?.steps.get(next.step)?.status === "completed";
  return next === null || next === undefined || isDone ? undefined : { workflow: next.workflow, step: next.step };
}
