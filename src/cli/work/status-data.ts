import type { RunCondition } from "../../dashboard/overview/conditions.ts";
import type { EvidenceCounts } from "../../dashboard/overview/evidence-text.ts";
import { currentStepOf, runRow } from "../../dashboard/overview/run-row.ts";
import type { RunRow } from "../../dashboard/overview/run-row-data.ts";
import { shortName } from "../../dashboard/overview/short-name.ts";
import {
  type ItemCounts,
  itemStatuses,
  type RunStatus,
  type StepItemStatuses,
  type StepStatus,
  type StreamOverview,
} from "../../engine/run-status.ts";
import type { Sessions } from "../../engine/sessions.ts";
import type { Problem } from "../../gates/problem.ts";
import { defined } from "../../kit/defined.ts";
import { approvalWaitText } from "../../messages/approval-texts.ts";
import { warningTexts } from "../../messages/notices.ts";
import { definitionGoneText } from "../../messages/phase-refusals.ts";
import { type StalePhase, stalePhases } from "../../messages/reply-checks.ts";
import { type SessionView, sessionView } from "../../workflow/session-view.ts";
import type { StreamSnapshot } from "../../workflow/stream-snapshot.ts";
import type { OpenedBot } from "../terminal/workplace-options.ts";
import { type StaleCheck, staleChecksOf, staleSteps } from "./stale-lines.ts";

/** The status of a bot, as shown and as printed for scripts. */
export type BotStatus = Pick<RunStatus, "focus" | "completed"> & {
  readonly archived?: true;
  readonly bot: string;
  readonly run?: string;
  /** The status in one word, or null before the first step. */
  readonly stands: RunCondition | null;
  /** The evidence so far; absent before the first step. */
  readonly evidence?: EvidenceCounts;
  readonly workflows: readonly (Omit<RunStatus["workflows"][number], "steps"> & {
    readonly steps: readonly ShownStep[];
  })[];
  readonly warnings: readonly string[];
  readonly closed?: Problem;
  /** The open items that wait for a person. */
  readonly waiting_items?: readonly WaitingItem[];
  /** Every item of its actions, if they were asked for. */
  readonly item_list?: readonly StepItemStatuses[];
};

/** A step as shown; `handedIn`: it waits for approval; `stale`: checks whose files have changed since. */
export type ShownStep = StepStatus & { readonly handedIn?: true; readonly stale?: readonly StaleCheck[] };

/** The status of a run's current step, for scripts. */
export type ShownCurrentStep = {
  readonly stands: RunCondition;
  readonly evidence?: EvidenceCounts;
  readonly waiting_since?: string;
  /** The reason why the assistant reported the step as blocked. */
  readonly blocked?: string;
  /** It is completed, and led back as often as it may. */
  readonly at_bound?: true;
  /** The people it waits for, in words. */
  readonly waiting_for?: string;
  readonly checking_since?: string;
  /** The checks that a runner is asked for. */
  readonly runner_checks?: readonly string[];
  /** The number of refusals by its gate, and whether two came since it last passed. */
  readonly refused?: number;
  readonly stuck?: true;
  /** The fields missing last time, and whether they were the same the time before. */
  readonly missing?: readonly string[];
  readonly same_gaps?: true;
  /** The client that opened the step. */
  readonly client?: string;
  /** Its round from the second on, and the step that led back to it. */
  readonly round?: number;
  readonly came_back_from?: string;
  readonly items?: ItemCounts;
};

/** An item of a session or run that a person must look at first: its session is blocked, or waits for approval. */
export type WaitingItem = {
  readonly session: string;
  readonly phase: number;
  readonly blocked?: string;
  readonly waiting_since?: string;
};

/** A session as shown: its file without the artifacts, and the status of its current phase. */
export type ShownSession = Omit<SessionView, "phase_artifacts"> &
  ShownCurrentStep & {
    /** The name of the current phase, from the session's own copy of the definition. */
    readonly phase_name?: string;
    readonly stale?: readonly StalePhase[];
    /** The open items that wait for a person. */
    readonly waiting_items?: readonly WaitingItem[];
    /** Every item of its phases, if they were asked for. */
    readonly item_list?: readonly StepItemStatuses[];
  };

/** A run as `status` loads it: what it prints for scripts, and what its lines are written from. */
export type LoadedRun<Shown> = {
  readonly shown: Shown;
  readonly overview: StreamOverview;
  /** Undefined before the first step. */
  readonly row: RunRow | undefined;
  /** The name that commands take. */
  readonly name: string;
  /** The open items that wait for a person. */
  readonly waitingItems: readonly StreamOverview[];
};

/** A run that is listed in one line, with its stale checks. */
export type ListedRun<Shown = object> = LoadedRun<Shown> & {
  readonly row: RunRow;
  /** The name that people know it by. */
  readonly title: string;
  readonly stale: readonly (readonly [place: string, StaleCheck])[];
};

/** Loads the status of a bot. */
export async function botStatus(
  { bot, run, engine, warnings }: OpenedBot,
  sessions: Sessions,
  withItems = false,
): Promise<LoadedRun<BotStatus>> {
  const { id, focus, completed, archivedAt, workflows, closed, warnings: said } = await engine.status();
  const stale = staleSteps(await engine.staleProofs());
  const overview = await engine.overview();
  const row = runRow(overview, new Date());
  const waitingItems = await openWaitingItems(sessions, overview.stream);
  return {
    ...{ overview, row, name: bot, waitingItems },
    shown: {
      bot,
      ...defined({ run }),
      ...(archivedAt === null ? {} : { archived: true }),
      stands: row?.stands ?? null,
      ...defined({ evidence: row?.evidence }),
      focus,
      workflows: workflows.map((one) => ({
        ...one,
        steps: one.steps.map((step) => shownStep(step, staleChecksOf(stale, one.workflow, step.step))),
      })),
      completed,
      warnings: [...warnings, ...warningTexts(said, id)],
      ...(closed === undefined ? {} : { closed: closedProblem(closed) }),
      ...itemsShown(overview.stream, waitingItems, withItems),
    },
  };
}

function shownStep(step: StepStatus, stale: readonly StaleCheck[]): ShownStep {
  return {
    ...step,
    ...(step.waitingSince === undefined || step.blocked !== undefined ? {} : { handedIn: true }),
    ...(stale.length === 0 ? {} : { stale }),
  };
}

function closedProblem(closed: NonNullable<RunStatus["closed"]>): Problem {
  return "problem" in closed ? closed.problem : { file: closed.gone, message: definitionGoneText(closed.gone) };
}

/** The status of a run's current step, for scripts. */
export function shownCurrentStep(mapped: StreamOverview, { stands, evidence }: RunRow): ShownCurrentStep {
  const at = currentStepOf(mapped);
  return {
    stands,
    evidence,
    ...defined({
      waiting_since: at?.waitingSince,
      blocked: at?.blocked,
      at_bound: at?.atBound,
      waiting_for: at?.waitingFor && approvalWaitText(at.waitingFor.needs, at.waitingFor.given),
      checking_since: at?.checkingSince,
      runner_checks: at?.runnerChecks,
      refused: at?.refused,
      stuck: at?.stuck,
      missing: at?.missing,
      same_gaps: at?.sameGaps,
      client: at?.client,
      round: at?.round,
      came_back_from: at?.cameBackFrom,
      items: at?.items,
    }),
  };
}

/** Loads the status of every session, latest change first. */
export async function sessionStatuses(
  sessions: Sessions,
  withItems = false,
): Promise<readonly ListedRun<ShownSession>[]> {
  const all = await sessions.all();
  const named = all.map(({ engine, stream }) => ({ name: engine.id.name, target: stream.session?.target ?? null }));
  const listed = all.map(async ({ engine, stream }): Promise<ListedRun<ShownSession>[]> => {
    const view = sessionView(engine.id.name, stream);
    const overview = await engine.overview();
    const row = runRow(overview, new Date());
    if (view === null || row === undefined) return [];
    const { phase_artifacts: _, ...fields } = view;
    const stale = view.archived === true ? [] : stalePhases(await engine.staleProofs());
    const waitingItems = await openWaitingItems(sessions, stream);
    const name = shortName({ name: view.session_id, target: view.target_file }, named);
    return [
      {
        ...{ overview, row, name, waitingItems },
        title: `${view.target_file === null ? name : row.title}${view.run === undefined ? "" : ` (run ${view.run})`}`,
        stale: stale.map((one) => [`Phase ${one.phase} of ${name}`, one]),
        shown: {
          ...fields,
          ...shownCurrentStep(overview, row),
          ...defined({ phase_name: currentStepOf(overview)?.title, stale: stale.length === 0 ? undefined : stale }),
          ...itemsShown(stream, waitingItems, withItems),
        },
      },
    ];
  });
  return (await Promise.all(listed)).flat();
}

/** The open items of a stream that wait for a person. */
async function openWaitingItems(sessions: Sessions, stream: StreamSnapshot): Promise<readonly StreamOverview[]> {
  const open = await sessions.openItems(stream);
  const mapped = await Promise.all(open.map(({ engine }) => engine.overview()));
  return mapped.filter((one) => currentStepOf(one)?.waitingSince !== undefined);
}

/** The items of a run, for scripts. */
function itemsShown(
  stream: StreamSnapshot,
  waiting: readonly StreamOverview[],
  withItems: boolean,
): Pick<ShownSession, "waiting_items" | "item_list"> {
  const lists = withItems ? itemStatuses(stream) : [];
  const waiting_items = waiting.map((one): WaitingItem => {
    const at = currentStepOf(one);
    return {
      ...{ session: one.id.name, phase: Number(at?.step ?? 0) },
      ...defined({ waiting_since: at?.waitingSince, blocked: at?.blocked }),
    };
  });
  return {
    ...(waiting.length === 0 ? {} : { waiting_items }),
    ...(lists.length === 0 ? {} : { item_list: lists }),
  };
}
