import type { Desk, StepState } from "../workflow/desk.ts";
import type { Said } from "../workflow/notice.ts";
import { isFinished, locate } from "../workflow/route.ts";
import type { Step } from "../workflow/workflow.ts";
import type { DeskParts } from "./desk-parts.ts";
import type { DeskId, PlanReading } from "./ports.ts";
import { readDesk } from "./read-desk.ts";

/** How one step stands, for people who look. */
export type StepStanding = {
  readonly step: string;
  readonly state: "completed" | "started" | "skipped" | "vouched" | "next" | "waiting";
  readonly since?: string;
  /** Something was handed in, and a person's word is what it waits for since then. */
  readonly waitingSince?: string;
  /** Why the last try to complete it was turned down. */
  readonly turnedDown?: string;
};

/** Where every run of a desk stands. */
export type Standing = {
  readonly id: DeskId;
  readonly focus: Desk["focus"];
  readonly session: Desk["session"];
  readonly workflows: readonly {
    readonly workflow: string;
    readonly pass: number;
    readonly finished: boolean;
    readonly steps: readonly StepStanding[];
  }[];
  readonly completed: number;
  /** When a person put it away. */
  readonly archivedAt: string | null;
  readonly warnings: readonly Said[];
  readonly closed?: PlanReading["closed"];
};

/** Tells where every run stands, from the history; a view that differs is left for the next call to settle. */
export async function standing(parts: DeskParts): Promise<Standing> {
  const { id, views } = parts;
  const { reading, snapshot } = await readDesk(parts);
  const { plan, notices, closed, later } = reading;
  const { desk, warnings, setAside: count = 0 } = snapshot;
  const aside: Said[] = count === 0 ? [] : [{ kind: "set_aside", count }];
  const { found } = await views.look(id);
  const pending: Said[] =
    found.kind === "current" || found.kind === "behind" ? [] : [{ kind: "view_differs", found: found.kind }];
  return {
    id,
    focus: desk.focus,
    session: desk.session,
    completed: desk.completedCount,
    archivedAt: desk.archivedAt,
    warnings: [...notices, ...((await later?.()) ?? []), ...warnings, ...aside, ...pending],
    ...(closed === undefined ? {} : { closed }),
    workflows: plan.workflows.map((workflow) => {
      const { run, steps, current } = locate(desk, workflow);
      return {
        workflow: workflow.name,
        pass: run.pass,
        finished: isFinished(desk, workflow),
        steps: steps.map((step) => stepStanding(step, run.steps.get(step.name), step === current)),
      };
    }),
  };
}

function stepStanding({ name: step, skip }: Step, state: StepState | undefined, isCurrent: boolean): StepStanding {
  const open = state?.status === "started" ? "started" : "next";
  const named = isCurrent ? open : (state?.status ?? (skip === undefined ? "waiting" : "skipped"));
  const shown = named === "superseded" ? "waiting" : named;
  const since = state?.completion?.at ?? state?.startedAt;
  if (shown !== "started")
    return { step, state: shown, ...(since === undefined || shown === "waiting" || shown === "next" ? {} : { since }) };
  return {
    step,
    state: shown,
    ...(since === undefined ? {} : { since }),
    ...(state?.waiting === undefined ? {} : { waitingSince: state.waiting.since }),
    ...(state?.turnedDown === undefined ? {} : { turnedDown: state.turnedDown }),
  };
}
