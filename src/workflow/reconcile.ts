import { type Desk, isSatisfied } from "./desk.ts";
import type { Adoption, CompletedEntry, Event } from "./events.ts";
import type { JsonObject } from "./json.ts";
import { locate } from "./route.ts";
import type { Plan, Step, Workflow } from "./workflow.ts";

/** The state file as a store finds it, compared with what the history says it should be. */
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

/** What a foreign state file says, as far as it can be read; names as they stand there. */
export type FoundState = {
  readonly behavior?: string;
  readonly action?: string;
  readonly state?: "started" | "completed";
  readonly timestamp?: string;
  readonly completed: readonly { readonly action: string; readonly timestamp?: string; readonly duration?: number }[];
};

/** What a store must do to the state file itself. */
export type Repair = { readonly keepAside: boolean };

/** What follows from a state file: facts to record first, the file to put right, words for the caller. */
export type Reconciled = {
  readonly events: readonly Event[];
  readonly repair: Repair | null;
  readonly warnings: readonly string[];
};

export type ReconcileSituation = {
  readonly plan: Plan;
  readonly desk: Desk;
  /** Whether anything is recorded yet. */
  readonly hasHistory: boolean;
  /** A log that stood there before our first record. */
  readonly foundLog?: readonly JsonObject[];
  readonly externalEdits: "obey" | "refuse";
  readonly now: string;
  readonly by: string;
};

const nothing: Reconciled = { events: [], repair: null, warnings: [] };

/** The one place where a file found on disk meets the history: obeyed, repaired, or left alone. */
export function reconcile(found: Found, situation: ReconcileSituation): Reconciled {
  const result = reconcileState(found, situation);
  const { foundLog: log, hasHistory, now: at, by } = situation;
  if (hasHistory || log === undefined || log.length === 0) return result;
  return { ...result, events: [{ type: "log_adopted", at, by, log }, ...result.events] };
}

function reconcileState(found: Found, situation: ReconcileSituation): Reconciled {
  switch (found.kind) {
    case "current":
      return nothing;
    case "behind":
      return { ...nothing, repair: { keepAside: false } };
    case "deleted": {
      const { now, by } = situation;
      if (situation.externalEdits === "refuse") {
        return {
          ...nothing,
          repair: { keepAside: false },
          warnings: ["workflow_state.json was deleted; it has been restored."],
        };
      }
      const began: Event = { type: "began_anew", at: now, by, reason: "workflow_state.json was deleted" };
      return {
        ...nothing,
        events: [began],
        warnings: ["workflow_state.json was deleted: this is a new beginning at the first action."],
      };
    }
    case "malformed":
      return unusable(`workflow_state.json is malformed (${found.reason})`, situation);
    case "foreign":
      return adopt(found.file, situation);
  }
}

function adopt(file: FoundState, situation: ReconcileSituation): Reconciled {
  const { plan, desk, hasHistory, now, by } = situation;
  if (hasHistory && situation.externalEdits === "refuse") {
    return {
      ...nothing,
      repair: { keepAside: true },
      warnings: ["workflow_state.json was edited outside Waymark; the settings refuse that, so it has been restored."],
    };
  }
  if (file.behavior === undefined) return unusable("workflow_state.json has no current_behavior", situation);
  const workflow = isUnder(file.behavior, 2, plan.name) ? findByName(plan.workflows, file.behavior) : undefined;
  if (workflow === undefined)
    return unusable(`workflow_state.json names an unknown behavior, ${file.behavior}`, situation);

  const { steps, run } = locate(desk, workflow);
  const isOurs =
    file.action !== undefined && isUnder(file.action, 2, workflow.name) && isUnder(file.action, 3, plan.name);
  const step = file.action !== undefined && isOurs ? findByName(steps, file.action) : undefined;
  const warnings = hasHistory
    ? ["workflow_state.json was edited outside Waymark; the edit is obeyed and on record."]
    : [];
  if (file.action === undefined)
    warnings.push(`workflow_state.json has no current_action: starting at the first action of ${workflow.name}.`);
  else if (step === undefined) {
    warnings.push(
      `workflow_state.json names ${file.action}, which is not an action of ${workflow.name}: starting at its first action.`,
    );
  }
  const completed = file.completed.map((entry): CompletedEntry => completedEntry(entry, file, plan));
  const before = step === undefined ? [] : steps.slice(0, steps.indexOf(step));
  const isProved = step?.gate === undefined || isSatisfied(run.steps.get(step.name));
  const claims =
    file.state ??
    (completed.some((entry) => entry.workflow === workflow.name && entry.step === step?.name)
      ? "completed"
      : "started");
  if (claims === "completed" && !isProved)
    warnings.push(`${step?.name} has a gate, which an edit cannot pass: it stands open.`);
  const unproved = before.find((earlier) => earlier.gate !== undefined && !isSatisfied(run.steps.get(earlier.name)));
  if (unproved !== undefined)
    warnings.push(`${unproved.name} has a gate that is not passed, and an edit cannot pass it: it comes first.`);
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
    timestamp: file.timestamp ?? now,
    completed,
    before: before.map(({ name }) => name),
    vouched,
  };
  return { ...nothing, events: [{ type: "adopted", at: now, by, ...adoption }], warnings };
}

/** A file that says nothing usable: the history is put back where there is one, else the work begins at the beginning. */
function unusable(what: string, { hasHistory, now, by }: ReconcileSituation): Reconciled {
  const then = hasHistory
    ? "it has been restored from the history"
    : "starting at the first behavior and its first action";
  const events: Event[] = hasHistory ? [] : [{ type: "began_anew", at: now, by, reason: what }];
  return {
    events,
    repair: { keepAside: true },
    warnings: [`${what}; ${then}. The file found is kept under .waymark/kept/.`],
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
  const parts = entry.action.split(".");
  const named = parts.length > 1 ? parts[parts.length - 2] : file.behavior;
  const workflow = named === undefined ? undefined : findByName(plan.workflows, named);
  const lastPart = parts.at(-1) ?? entry.action;
  const step = workflow === undefined ? undefined : findByName(workflow.steps, lastPart);
  return {
    workflow: workflow?.name ?? named ?? "",
    step: step?.name ?? lastPart,
    timestamp: entry.timestamp ?? "",
    ...(entry.duration === undefined ? {} : { duration: entry.duration }),
  };
}

/** Finds a thing by its name, its full path (`bot.behavior.action`) or its numbered folder name (`3_discovery`). */
function findByName<T extends { readonly name: string }>(things: readonly T[], written: string): T | undefined {
  const last = written.split(".").at(-1) ?? written;
  const bare = last.replace(/^\d+[_-]/, "");
  return things.find(({ name }) => name === last) ?? things.find(({ name }) => name === bare);
}
