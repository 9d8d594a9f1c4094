import type { JsonObject } from "../evidence/json.ts";
import { type Desk, isSatisfied } from "./desk.ts";
import type { Adoption, CompletedEntry, Event, Stamp } from "./events.ts";
import type { Notice } from "./notice.ts";
import { locate } from "./route.ts";
import type { Plan, Step, Workflow } from "./workflow.ts";

/** The view of a desk as a store finds it, compared with what the history says it should be. */
export type Found =
  /** Exactly what we published, or nothing where we published nothing. */
  | { readonly kind: "current" }
  /** A file of ours from an earlier point of the history. */
  | { readonly kind: "behind" }
  /** We published it, and it is gone. */
  | { readonly kind: "deleted" }
  | { readonly kind: "malformed"; readonly reason: string }
  /** Somebody else wrote it. */
  | { readonly kind: "foreign"; readonly file: FoundState };

/** What a foreign view says of the position, as far as it can be read; names as they stand there. */
export type FoundState = {
  readonly workflow?: string;
  readonly step?: string;
  readonly state?: "started" | "completed";
  readonly timestamp?: string;
  readonly completed: readonly { readonly step: string; readonly timestamp?: string; readonly duration?: number }[];
};

/** What a store must do to the view itself. */
export type Repair = { readonly keepAside: boolean };

/** What follows from a view: facts to record first, the file to put right, what the caller should know. */
export type Reconciled = {
  readonly events: readonly Event[];
  readonly repair: Repair | null;
  readonly notices: readonly Notice[];
};

export type ReconcileSituation = {
  readonly plan: Plan;
  readonly desk: Desk;
  /** Whether anything is recorded yet. */
  readonly hasHistory: boolean;
  /** A log that stood there before our first record. */
  readonly foundLog?: readonly JsonObject[];
  readonly externalEdits: "obey" | "refuse";
  readonly stamp: Stamp;
};

const nothing: Reconciled = { events: [], repair: null, notices: [] };

/** The one place where a file found on disk meets the history: obeyed, repaired, or left alone. */
export function reconcile(found: Found, situation: ReconcileSituation): Reconciled {
  const result = reconcileState(found, situation);
  const { foundLog: log, hasHistory, stamp } = situation;
  if (hasHistory || log === undefined || log.length === 0) return result;
  return { ...result, events: [{ type: "log_adopted", ...stamp, log }, ...result.events] };
}

function reconcileState(found: Found, situation: ReconcileSituation): Reconciled {
  switch (found.kind) {
    case "current":
      return nothing;
    case "behind":
      return { ...nothing, repair: { keepAside: false } };
    case "deleted":
      return deleted(situation);
    case "malformed":
      return unusable({ why: "malformed", detail: found.reason }, situation);
    case "foreign":
      return adopt(found.file, situation);
  }
}

/** Whether what a person does to the view is put right instead of obeyed. */
function isUndone({ plan, hasHistory, externalEdits }: ReconcileSituation): boolean {
  return plan.manner.view === "undone" || (hasHistory && externalEdits === "refuse");
}

function deleted(situation: ReconcileSituation): Reconciled {
  if (isUndone(situation)) {
    const notices: Notice[] = [{ kind: "view_deleted", so: "restored" }];
    const isSaid = situation.plan.manner.view === "obeyed"; // one that only shows is written again without a word
    return { ...nothing, repair: { keepAside: false }, notices: isSaid ? notices : [] };
  }
  const began: Event = { type: "began_anew", ...situation.stamp, reason: "workflow_state.json was deleted" };
  return { ...nothing, events: [began], notices: [{ kind: "view_deleted", so: "began anew" }] };
}

function adopt(file: FoundState, situation: ReconcileSituation): Reconciled {
  const { plan, desk, hasHistory, stamp } = situation;
  if (isUndone(situation)) {
    const kind = plan.manner.view === "undone" ? "edit_undone" : "edit_refused";
    return { ...nothing, repair: { keepAside: true }, notices: [{ kind }] };
  }
  if (file.workflow === undefined) return unusable({ why: "names no workflow", detail: "" }, situation);
  const workflow = isUnder(file.workflow, 2, plan.name) ? findByName(plan.workflows, file.workflow) : undefined;
  if (workflow === undefined) return unusable({ why: "names an unknown workflow", detail: file.workflow }, situation);

  const { steps, run } = locate(desk, workflow);
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
  return { ...nothing, events: [{ type: "adopted", ...stamp, ...adoption }], notices };
}

/** A file that says nothing usable: the history is put back where there is one, else the work begins at the beginning. */
function unusable(
  what: Pick<Notice & { kind: "view_unusable" }, "why" | "detail">,
  situation: ReconcileSituation,
): Reconciled {
  const { hasHistory, stamp } = situation;
  if (situation.plan.manner.view === "undone")
    return { ...nothing, repair: { keepAside: true }, notices: [{ kind: "edit_undone" }] };
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

/** Whether the part of a written path that stands so far from its end, if there is one, is this name. */
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

function completedEntry(entry: FoundState["completed"][number], file: FoundState, plan: Plan): CompletedEntry {
  const parts = entry.step.split(".");
  const named = parts.length > 1 ? parts[parts.length - 2] : file.workflow;
  const workflow = named === undefined ? undefined : findByName(plan.workflows, named);
  const lastPart = parts.at(-1) ?? entry.step;
  const step = workflow === undefined ? undefined : findByName(workflow.steps, lastPart);
  return {
    workflow: workflow?.name ?? named ?? "",
    step: step?.name ?? lastPart,
    timestamp: entry.timestamp ?? "",
    ...(entry.duration === undefined ? {} : { duration: entry.duration }),
  };
}

/** Finds a thing by its name, its full path (`plan.workflow.step`) or its numbered folder name (`3_discovery`). */
function findByName<T extends { readonly name: string }>(things: readonly T[], written: string): T | undefined {
  const last = written.split(".").at(-1) ?? written;
  const bare = last.replace(/^\d+[_-]/, "");
  return things.find(({ name }) => name === last) ?? things.find(({ name }) => name === bare);
}
