import type { Sessions } from "../engine/sessions.ts";
import type { Mapped, Standing, StepStanding } from "../engine/standing.ts";
import type { Problem } from "../evidence/problem.ts";
import type { StandsAs } from "../overview/stands-as.ts";
import { summaryOf } from "../overview/summary.ts";
import { waitsForWhom } from "../words/approval.ts";
import { type StalePhase, stalePhases } from "../words/checks.ts";
import { saidInWords } from "../words/notices.ts";
import { definitionGoneText } from "../words/phases.ts";
import { type SessionView, sessionView } from "../words/session-view.ts";
import { type Stale, staleAt, staleSteps } from "./stale-lines.ts";
import type { BotAtWork } from "./workplace.ts";

/** Where a bot stands, as it is shown and printed for scripts. */
export type BotStanding = Pick<Standing, "focus" | "completed"> & {
  readonly archived?: true;
  readonly bot: string;
  readonly run?: string;
  /** In one word; null where nothing has begun yet. */
  readonly stands: StandsAs | null;
  readonly workflows: readonly (Omit<Standing["workflows"][number], "steps"> & {
    readonly steps: readonly ShownStep[];
  })[];
  readonly warnings: readonly string[];
  readonly closed?: Problem;
};

/** A step as it is shown; `handedIn`: a person's word is what it waits for; `stale`: its checks whose files have changed since. */
export type ShownStep = StepStanding & { readonly handedIn?: true; readonly stale?: readonly Stale[] };

/** What is said of the step that a run is at, for scripts. */
export type ShownTurn = {
  readonly stands: StandsAs;
  readonly waiting_since?: string;
  /** For whom, in words. */
  readonly waiting_for?: string;
  readonly checking_since?: string;
  /** How often its gate has turned the step down, and whether twice since it last let it through. */
  readonly refused?: number;
  readonly stuck?: true;
  /** What was wanting at last, and whether just that was the time before. */
  readonly missing?: readonly string[];
  readonly same_gaps?: true;
  /** The program that the step was opened with. */
  readonly client?: string;
};

/** A session as it is shown: what its file says, but for the artifacts, and how the phase stands that it is at. */
export type ShownSession = Omit<SessionView, "phase_artifacts"> &
  ShownTurn & {
    /** What the phase is called that it is at, by the copy of the definition that it keeps. */
    readonly phase_name?: string;
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
    stands: summaryOf(await engine.map(), new Date())?.stands ?? null,
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

/** What is said of the step that a run is at; nothing where it has not begun. */
export function turnOf(mapped: Mapped): (ShownTurn & { readonly at: StepStanding | null }) | undefined {
  const summary = summaryOf(mapped, new Date());
  if (summary === undefined) return undefined;
  const { stands, at } = summary;
  return {
    at,
    stands,
    ...(at?.waitingSince === undefined ? {} : { waiting_since: at.waitingSince }),
    ...(at?.waitingFor === undefined ? {} : { waiting_for: waitsForWhom(at.waitingFor.needs, at.waitingFor.given) }),
    ...(at?.checkingSince === undefined ? {} : { checking_since: at.checkingSince }),
    ...(at?.refused === undefined ? {} : { refused: at.refused }),
    ...(at?.stuck ? { stuck: true } : {}),
    ...(at?.missing === undefined ? {} : { missing: at.missing }),
    ...(at?.sameGaps ? { same_gaps: true } : {}),
    ...(at?.client === undefined ? {} : { client: at.client }),
  };
}

/** Looks where every session stands, the one that changed last first. */
export async function sessionsShown(sessions: Sessions): Promise<readonly ShownSession[]> {
  const shown = (await sessions.all()).map(async ({ engine, desk }): Promise<ShownSession[]> => {
    const view = sessionView(engine.id.name, desk);
    const turn = turnOf(await engine.map());
    if (view === null || turn === undefined) return [];
    const { phase_artifacts: _, ...fields } = view;
    const { at, ...said } = turn;
    const stale = view.archived === true ? [] : stalePhases(await engine.stale());
    return [
      {
        ...fields,
        ...said,
        ...(at?.title === undefined ? {} : { phase_name: at.title }),
        ...(stale.length === 0 ? {} : { stale }),
      },
    ];
  });
  return (await Promise.all(shown)).flat();
}
