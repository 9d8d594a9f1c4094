import type { Desk } from "../workflow/desk.ts";
import { isFinished, locate } from "../workflow/route.ts";
import type { EngineParts } from "./engine.ts";
import type { PlanReading } from "./ports.ts";

/** How one step stands, for people who look. */
export type StepStanding = {
  readonly step: string;
  readonly state: "completed" | "started" | "skipped" | "vouched" | "next" | "waiting";
  readonly since?: string;
  /** Something was handed in, and a person's word is still wanted. */
  readonly handedIn?: true;
  /** Why the last try to complete it was turned down. */
  readonly turnedDown?: string;
};

/** Where every run of a desk stands. */
export type Standing = {
  readonly bot: string;
  readonly focus: Desk["focus"];
  readonly workflows: readonly {
    readonly workflow: string;
    readonly pass: number;
    readonly finished: boolean;
    readonly steps: readonly StepStanding[];
  }[];
  readonly completed: number;
  readonly warnings: readonly string[];
  readonly closed?: PlanReading["closed"];
};

/** Tells where every run stands, from the history; a state file found on disk is left for the next call to settle. */
export async function standing({
  definitions,
  history,
}: Pick<EngineParts, "definitions" | "history">): Promise<Standing> {
  const { plan, warnings, closed } = definitions.plan();
  const { desk, found, warnings: seen } = await history.look();
  const pending =
    found.kind === "current" || found.kind === "behind"
      ? []
      : [`workflow_state.json on disk differs from the history (${found.kind}); the next call settles it.`];
  return {
    bot: plan.name,
    focus: desk.focus,
    completed: desk.completedCount,
    warnings: [...warnings, ...seen, ...pending],
    ...(closed === undefined ? {} : { closed }),
    workflows: plan.workflows.map((workflow) => {
      const { run, steps, current } = locate(desk, workflow);
      return {
        workflow: workflow.name,
        pass: run.pass,
        finished: isFinished(desk, workflow),
        steps: steps.map((step): StepStanding => {
          const state = run.steps.get(step.name);
          const since = state?.completion?.at ?? state?.startedAt;
          const named =
            step === current
              ? state?.status === "started"
                ? "started"
                : "next"
              : (state?.status ?? (step.skip === undefined ? "waiting" : "skipped"));
          const shown = named === "superseded" ? "waiting" : named;
          const { inputs: _, ...handed } = state?.handed ?? {};
          return {
            step: step.name,
            state: shown,
            ...(since === undefined || shown === "waiting" || shown === "next" ? {} : { since }),
            ...(shown === "started" && Object.keys(handed).length > 0 ? { handedIn: true } : {}),
            ...(shown === "started" && state?.turnedDown !== undefined ? { turnedDown: state.turnedDown } : {}),
          };
        }),
      };
    }),
  };
}
