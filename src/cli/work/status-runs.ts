import type { OpenedWorkplace } from "../../app/open-workplace.ts";
import { defined } from "../../kit/defined.ts";
import { localTime } from "../../kit/local-time.ts";
import { oneLine } from "../terminal/print.ts";
import type { OpenedBot } from "../terminal/workplace-options.ts";
import { type StaleStep, staleSteps } from "./stale-lines.ts";
import { currentStep, type ShownCurrentStep } from "./status-data.ts";
import { waitingText } from "./status-lines.ts";
import { type DisplayOptions, listLines, runMark } from "./status-pick.ts";

/** A run in one line: its current step, since when, and what it waits for. */
export type ShownRun = ShownCurrentStep & {
  readonly bot: string;
  readonly run?: string;
  readonly behavior: string | null;
  readonly action: string | null;
  readonly state: "started" | "next" | "finished";
  readonly since: string | null;
  readonly completed: number;
  readonly stale?: readonly StaleStep[];
  readonly archived?: true;
};

/** Loads the runs of these bots that are not shown in full, latest change first. */
export async function otherRuns(workplace: OpenedWorkplace, whole: readonly OpenedBot[]): Promise<readonly ShownRun[]> {
  const found = whole.map(async ({ bot, run: here }) => {
    const others = [undefined, ...(await workplace.runs(bot))].filter((run) => run !== here);
    return Promise.all(others.map((run) => loadRun(workplace, bot, run)));
  });
  const begun = (await Promise.all(found)).flat().filter((run) => run !== undefined);
  return begun.sort((a, b) => ((a.since ?? "") < (b.since ?? "") ? 1 : -1));
}

async function loadRun(
  workplace: OpenedWorkplace,
  bot: string,
  run: string | undefined,
): Promise<ShownRun | undefined> {
  const engine = await workplace.engine(bot, run);
  const mapped = await engine.overview();
  const turn = currentStep(mapped);
  if (turn === undefined) return undefined;
  const { stream, workflows } = mapped;
  const { focus, archivedAt } = stream;
  const at = workflows.find(({ workflow }) => workflow === focus?.workflow);
  const stale = archivedAt === null ? staleSteps(await engine.staleProofs()) : [];
  const step = at?.steps.find(({ state }) => state === "started" || state === "next");
  const { at: _, ...said } = turn;
  return {
    bot,
    ...defined({ run }),
    behavior: focus?.workflow ?? null,
    action: step?.step ?? null,
    state: step?.state === "started" ? "started" : step === undefined ? "finished" : "next",
    since: stream.moves.at(-1)?.at ?? null,
    completed: stream.completedCount,
    ...said,
    ...(archivedAt === null ? {} : { archived: true }),
    ...(stale.length === 0 ? {} : { stale }),
  };
}

/** Formats a line for each run that needs attention, or for all, and counts the others. */
export function runLines(runs: readonly ShownRun[], choosing: DisplayOptions): string[] {
  return listLines("Runs", runs, choosing, ({ bot, run, behavior, action, state, since, stale = [], ...turn }) => ({
    cells: [
      `${runMark(turn.stands)} ${oneLine(run ?? `${bot}'s default run (main checkout)`)}`,
      [behavior, action].filter((part) => part !== null).join("."),
      waitingText(turn) ?? state,
      since === null ? "" : localTime(turn.waiting_since ?? since),
    ],
    isOpen: state === "started",
    stale: stale.map((one) => [`run ${run ?? bot}, ${one.behavior}.${one.action}`, one]),
  }));
}
