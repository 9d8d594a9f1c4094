import type { OpenedWorkplace } from "../../app/open-workplace.ts";
import { runRow } from "../../dashboard/overview/run-row.ts";
import { defined } from "../../kit/defined.ts";
import type { OpenedBot } from "../terminal/workplace-options.ts";
import { type StaleStep, staleSteps } from "./stale-lines.ts";
import { type ListedRun, type ShownCurrentStep, shownCurrentStep } from "./status-data.ts";

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
export async function otherRuns(
  workplace: OpenedWorkplace,
  whole: readonly OpenedBot[],
): Promise<readonly ListedRun<ShownRun>[]> {
  const found = whole.map(async ({ bot, run: here }) => {
    const others = [undefined, ...(await workplace.runs(bot))].filter((run) => run !== here);
    return Promise.all(others.map((run) => loadRun(workplace, bot, run)));
  });
  const begun = (await Promise.all(found)).flat().filter((run) => run !== undefined);
  return begun.sort((a, b) => ((a.shown.since ?? "") < (b.shown.since ?? "") ? 1 : -1));
}

async function loadRun(
  workplace: OpenedWorkplace,
  bot: string,
  run: string | undefined,
): Promise<ListedRun<ShownRun> | undefined> {
  const engine = await workplace.engine(bot, run);
  const overview = await engine.overview();
  const row = runRow(overview, new Date());
  if (row === undefined) return undefined;
  const { stream, workflows } = overview;
  const { focus, archivedAt } = stream;
  const at = workflows.find(({ workflow }) => workflow === focus?.workflow);
  const stale = archivedAt === null ? staleSteps(await engine.staleProofs()) : [];
  const step = at?.steps.find(({ state }) => state === "started" || state === "next");
  const title = run ?? `${bot}'s default run (main checkout)`;
  return {
    ...{ overview, row, title, name: title, waitingItems: [] },
    stale: stale.map((one) => [`run ${run ?? bot}, ${one.behavior}.${one.action}`, one]),
    shown: {
      bot,
      ...defined({ run }),
      behavior: focus?.workflow ?? null,
      action: step?.step ?? null,
      state: step?.state === "started" ? "started" : step === undefined ? "finished" : "next",
      since: stream.moves.at(-1)?.at ?? null,
      completed: stream.completedCount,
      ...shownCurrentStep(overview, row),
      ...(archivedAt === null ? {} : { archived: true }),
      ...(stale.length === 0 ? {} : { stale }),
    },
  };
}
