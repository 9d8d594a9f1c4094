import type { Sessions } from "../engine/sessions.ts";
import type { Standing, StepStanding } from "../engine/standing.ts";
import type { Problem } from "../evidence/problem.ts";
import { saidInWords } from "../words/notices.ts";
import { definitionGoneText } from "../words/phases.ts";
import { type SessionView, sessionRun, sessionView } from "../words/session-view.ts";
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

/** A step as it is shown; `handedIn`: a person's word is what it waits for. */
export type ShownStep = StepStanding & { readonly handedIn?: true };

/** A session as it is shown: what its file says, but for the artifacts, and since when it waits for a person. */
export type ShownSession = Omit<SessionView, "phase_artifacts"> & { readonly waiting_since?: string };

/** Looks where a bot stands. */
export async function standingOf({ bot, run, engine, warnings }: BotAtWork): Promise<BotStanding> {
  const { id, focus, completed, archivedAt, workflows, closed, warnings: said } = await engine.standing();
  return {
    bot,
    ...(run === undefined ? {} : { run }),
    ...(archivedAt === null ? {} : { archived: true }),
    focus,
    workflows: workflows.map((workflow) => ({ ...workflow, steps: workflow.steps.map(shownStep) })),
    completed,
    warnings: [...warnings, ...saidInWords(said, id)],
    ...(closed === undefined ? {} : { closed: asProblem(closed) }),
  };
}

function shownStep(step: StepStanding): ShownStep {
  return step.waitingSince === undefined ? step : { ...step, handedIn: true };
}

function asProblem(closed: NonNullable<Standing["closed"]>): Problem {
  return "problem" in closed ? closed.problem : { file: closed.gone, message: definitionGoneText(closed.gone) };
}

/** Looks where every session stands, the one that changed last first. */
export async function sessionsShown(sessions: Sessions): Promise<readonly ShownSession[]> {
  return (await sessions.all()).flatMap(({ engine, desk }) => {
    const view = sessionView(engine.id.name, desk);
    if (view === null) return [];
    const { phase_artifacts: _, ...fields } = view;
    const waiting = sessionRun(desk)?.steps.get(String(view.current_phase))?.waiting;
    return [{ ...fields, ...(waiting === undefined ? {} : { waiting_since: waiting.since }) }];
  });
}
