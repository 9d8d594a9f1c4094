import { defined } from "../kit/defined.ts";
import type { JsonObject } from "../kit/json.ts";
import type { Adoption, CompletedEntry, Event, Stamp } from "./events.ts";
import type { Notice } from "./notice.ts";
import { positionIn } from "./position.ts";
import { isSatisfied, type StreamSnapshot } from "./stream-snapshot.ts";
import type { Plan, Step, Workflow } from "./workflow.ts";

/** A view as a store finds it, compared with the history. */
export type ViewComparison =
  /** Exactly what we published, or nothing if we published nothing. */
  | { readonly kind: "current" }
  /** A file of ours from an earlier point of the history. */
  | { readonly kind: "behind" }
  /** We published it, and it is gone. */
  | { readonly kind: "deleted" }
  | { readonly kind: "malformed"; readonly reason: string }
  /** Written by someone else. */
  | { readonly kind: "foreign"; readonly file: ForeignPosition };

/** The position in a foreign view, as far as it can be read, with names as written. */
export type ForeignPosition = {
  readonly workflow?: string;
  readonly step?: string;
  readonly state?: "started" | "completed";
  readonly timestamp?: string;
  readonly completed: readonly { readonly step: string; readonly timestamp?: string; readonly duration?: number }[];
};

/** The repair that a store makes to the view. */
export type Repair = { readonly keepAside: boolean };

/** The result of reconciling a view: events to record first, the repair, and notices. */
export type Reconciled = {
  readonly events: readonly Event[];
  readonly repair: Repair | null;
  readonly notices: readonly Notice[];
};

export type ReconcileSituation = {
  readonly plan: Plan;
  readonly stream: StreamSnapshot;
  /** True if anything is recorded yet. */
  readonly hasHistory: boolean;
  /** A log that existed before our first record. */
  readonly foundLog?: readonly JsonObject[];
  readonly externalEdits: "obey" | "refuse";
  readonly stamp: Stamp;
};

const noChange: Reconciled = { events: [], repair: null, notices: [] };

/** Reconciles a file found on disk with the history: applied, repaired, or left alone. */
export function reconcile(found: ViewComparison, situation: ReconcileSituation): Reconciled {
  const result = reconcileState(found, situation);
  const { foundLog: log, hasHistory, stamp } = situation;
  if (hasHistory || log === undefined || log.length === 0) return result;
  return { ...result, events: [{ type: "log_adopted", ...stamp, log }, ...result.events] };
}

function reconcileState(found: ViewComparison, situation: ReconcileSituation): Reconciled {
  switch (found.kind) {
    case "current":
      return noChange;
    case "behind":
      return { ...noChange, repair: { keepAside: false } };
    case "deleted":
      return reconcileDeleted(situation);
    case "malformed":
      return reconcileUnusable({ why: "malformed", detail: found.reason }, situation);
    case "foreign":
      return adoptForeign(found.file, situation);
  }
}

/** Tells if a person's edit of the view is undone instead of applied. */
function undoesEdits({ plan, hasHistory, externalEdits }: ReconcileSituation): boolean {
  return plan.policy.onViewEdit === "undone" || (hasHistory && externalEdits === "refuse");
}

function reconcileDeleted(situation: ReconcileSituation): Reconciled {
  if (undoesEdits(situation)) {
    const notices: Notice[] = [{ kind: "view_deleted", so: "restored" }];
    const isSaid = situation.plan.policy.onViewEdit === "obeyed"; // a view that only shows is rewritten silently
    return { ...noChange, repair: { keepAside: false }, notices: isSaid ? notices : [] };
  }
  const began: Event = { type: "began_anew", ...situation.stamp, reason: "workflow_state.json was deleted" };
  return { ...noChange, events: [began], notices: [{ kind: "view_deleted", so: "began anew" }] };
}

function adoptForeign(file: ForeignPosition, situation: ReconcileSituation): Reconciled {
  const { plan, stream, hasHistory, stamp } = situation;
  if (undoesEdits(situation)) {
    const kind = plan.policy.onViewEdit === "undone" ? "edit_undone" : "edit_refused";
    return { ...noChange, repair: { keepAside: true }, notices: [{ kind }] };
  }
  if (file.workflow === undefined) return reconcileUnusable({ why: "names no workflow", detail: "" }, situation);
  const workflow = isUnder(file.workflow, 2, plan.name) ? findByName(plan.workflows, file.workflow) : undefined;
  if (workflow === undefined)
    return reconcileUnusable({ why: "names an unknown workflow", detail: file.workflow }, situation);

  const { steps, run } = positionIn(stream, workflow);
  const isOurs = file.step !== undefined && isUnder(file.step, 2, workflow.name) && isUnder(file.step, 3, plan.name);
  const step = file.step !== undefined && isOurs ? findByName(steps, file.step) : undefined;
  const notices: Notice[] = hasHistory ? [{ kind: "edit_obeyed" }] : [];
  if (step === undefined) notices.push({ kind: "position_unknown", workflow: workflow.name, named: file.step ?? null });
  const completed = file.completed.map((entry): CompletedEntry => completedEntry(entry, file, plan));
  const before = step === undefined ? [] : steps.slice(0, steps.indexOf(step));
  const isProved = step?.gate === undefined || isSatisfied(run.steps.get(step.name));
  const claims =
    file.state ??
    (completed.some((entry) => entry.workflow === workflow.name && entry.step === step?.name)
      ? "completed"
      : "started");
  if (claims === "completed" && !isProved && step !== undefined)
    notices.push({ kind: "gate_unpassed", step: step.name, so: "stands open" });
  const unproved = before.find((earlier) => earlier.gate !== undefined && !isSatisfied(run.steps.get(earlier.name)));
  if (unproved !== undefined) notices.push({ kind: "gate_unpassed", step: unproved.name, so: "comes first" });
  const vouched = [
    ...before
      .filter((earlier) => earlier.gate === undefined)
      .map(({ name }) => ({ workflow: workflow.name, step: name })),
    ...(hasHistory ? [] : vouchedElsewhere(completed, workflow, plan)),
  ];
  const adoption: Adoption = {
    origin: hasHistory ? "edited" : "found",
    workflow: workflow.name,
    ...(step === undefined ? {} : { step: step.name }),
    state: isProved ? claims : "started",
    ...(claims === "completed" && isProved && unproved === undefined && isEnd(step, steps) ? { finished: true } : {}),
    timestamp: file.timestamp ?? stamp.at,
    completed,
    before: before.map(({ name }) => name),
    vouched,
  };
  return { ...noChange, events: [{ type: "adopted", ...stamp, ...adoption }], notices };
}

/** Handles a file with nothing usable: the history is restored if there is one, otherwise the work starts at the beginning. */
function reconcileUnusable(
  what: Pick<Notice & { kind: "view_unusable" }, "why" | "detail">,
  situation: ReconcileSituation,
): Reconciled {
  const { hasHistory, stamp } = situation;
  if (situation.plan.policy.onViewEdit === "undone")
    return { ...noChange, repair: { keepAside: true }, notices: [{ kind: "edit_undone" }] };
  const began: Event = {
    type: "began_anew",
    ...stamp,
    reason: `workflow_state.json ${what.why} ${what.detail}`.trim(),
  };
  return {
    events: hasHistory ? [] : [began],
    repair: { keepAside: true },
    notices: [{ kind: "view_unusable", ...what, so: hasHistory ? "restored" : "began anew" }],
  };
}

function isEnd(step: Step | undefined, steps: readonly Step[]): boolean {
  return step !== undefined && steps.slice(steps.indexOf(step) + 1).every(({ skip }) => skip !== undefined);
}

/** Tells if the part of a written path this far from its end, if there is one, is this name. */
function isUnder(written: string, fromEnd: number, name: string): boolean {
  const part = written.split(".").at(-fromEnd);
  return part === undefined || part === name || part.replace(/^\d+[_-]/, "") === name;
}

function vouchedElsewhere(
  completed: readonly CompletedEntry[],
  position: Workflow,
  plan: Plan,
): { workflow: string; step: string }[] {
  return completed.flatMap(({ workflow: name, step }) => {
    const workflow = plan.workflows.find((candidate) => candidate.name === name);
    const known = workflow?.steps.find((candidate) => candidate.name === step);
    return workflow === position || known === undefined || known.gate !== undefined ? [] : [{ workflow: name, step }];
  });
}

function completedEntry(
  entry: ForeignPosition["completed"][number],
  file: ForeignPosition,
  plan: Plan,
): CompletedEntry {
  const parts = entry.step.split(".");
  const named = parts.length > 1 ? parts[parts.length - 2] : file.workflow;
  const workflow = named === undefined ? undefined : findByName(plan.workflows, named);
  const lastPart = parts.at(-1) ?? entry.step;
  const step = workflow === undefined ? undefined : findByName(workflow.steps, lastPart);
  return {
    workflow: workflow?.name ?? named ?? "",
    step: step?.name ?? lastPart,
    timestamp: entry.timestamp ?? "",
    ...defined({ duration: entry.duration }),
  };
}

/** Finds an item by its name, its full path (`plan.workflow.step`) or its numbered folder name (`3_discovery`). */
function findByName<T extends { readonly name: string }>(things: readonly T[], written: string): T | undefined {
  const last = written.split(".").at(-1) ?? written;
  const bare = last.replace(/^\d+[_-]/, "");
  return things.find(({ name }) => name === last) ?? things.find(({ name }) => name === bare);
}
