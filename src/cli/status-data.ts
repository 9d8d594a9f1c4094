import type { Sessions } from "../engine/sessions.ts";
import type { Standing, StepStanding } from "../engine/standing.ts";
import type { Problem } from "../evidence/problem.ts";
import { type StalePhase, stalePhases } from "../words/checks.ts";
import { saidInWords } from "../words/notices.ts";
import { definitionGoneText } from "../words/phases.ts";
import { type SessionView, sessionRun, sessionView } from "../words/session-view.ts";
import { type Stale, staleAt, staleSteps } from "./stale-lines.ts";
import type { BotAtWork } from "./workplace.ts";

/** Where a bot stands, as it is shown and printed for scripts. */
export type BotStanding = Pick<Standing, "focus" | "completed"> & {
  readonly archived?: true;
  readonly bot: string;
  readonly run?: string;
  readonly workflows: readonly (Omit<Standing["workflows"][number], "steps"> & {
    readonly steps: readonly ShownStep[];
  })[];
  readonly warnings: readonly string[];
  readonly closed?: Problem;
};

/** A step as it is shown; `handedIn`: a person's word is what it waits for; `stale`: its checks whose files have changed since. */
export type ShownStep = StepStanding & { readonly handedIn?: true; readonly stale?: readonly Stale[] };

/** A session as it is shown: what its file says, but for the artifacts, and since when it waits for a person. */
export type ShownSession = Omit<SessionView, "phase_artifacts"> & {
  readonly waiting_since?: string;
  readonly stale?: readonly StalePhase[];
};

/** Looks where a bot stands. */
export async function standingOf({ bot, run, engine, warnings }: BotAtWork): Promise<BotStanding> {
  const { id, focus, completed, archivedAt, workflows, closed, warnings: said } = await engine.standing();
  const stale = staleSteps(await engine.stale());
  return {
    bot,
    ...(run === undefined ? {} : { run }),
    ...(archivedAt === null ? {} : { archived: true }),
    focus,
    workflows: workflows.map((one) => ({
      ...one,
      steps: one.steps.map((step) => shownStep(step, staleAt(stale, one.workflow, step.step))),
    })),
    completed,
    warnings: [...warnings, ...saidInWords(said, id)],
    ...(closed === undefined ? {} : { closed: asProblem(closed) }),
  };
}

function shownStep(step: StepStanding, stale: readonly Stale[]): ShownStep {
  return {
    ...step,
    ...(step.waitingSince === undefined ? {} : { handedIn: true }),
    ...(stale.length === 0 ? {} : { stale }),
  };
}

function asProblem(closed: NonNullable<Standing["closed"]>): Problem {
  return "problem" in closed ? closed.problem : { file: closed.gone, message: definitionGoneText(closed.gone) };
}

/** Looks where every session stands, the one that changed last first. */
export async function sessionsShown(sessions: Sessions): Promise<readonly ShownSession[]> {
  const shown = (await sessions.all()).map(async ({ engine, desk }): Promise<ShownSession[]> => {
    const view = sessionView(engine.id.name, desk);
    if (view === null) return [];
    const { phase_artifacts: _, ...fields } = view;
    const waiting = sessionRun(desk)?.steps.get(String(view.current_phase))?.waiting;
    const stale = view.archived === true ? [] : stalePhases(await engine.stale());
    return [
      {
        ...fields,
        ...(waiting === undefined ? {} : { waiting_since: waiting.since }),
        ...(stale.length === 0 ? {} : { stale }),
      },
    ];
  });
  return (await Promise.all(shown)).flat();
}
