import type { OpenedWorkplace } from "../compose.ts";
import { inColumns, paint, plain } from "./print.ts";
import { marks, moment } from "./status-lines.ts";
import { type BotAtWork, runTitle } from "./workplace.ts";

/** A run in one line: where it stands, since when, and what it waits for. */
export type ShownRun = {
  readonly bot: string;
  readonly run?: string;
  readonly behavior: string | null;
  readonly action: string | null;
  readonly state: "started" | "completed" | null;
  readonly since: string | null;
  readonly completed: number;
  readonly waiting_since?: string;
  readonly archived?: true;
};

/** The runs of the bots that are shown, but for those shown whole: the one that changed last first. */
export async function runsShown(workplace: OpenedWorkplace, whole: readonly BotAtWork[]): Promise<readonly ShownRun[]> {
  const found = whole.map(async ({ bot, run: here }) => {
    const others = [undefined, ...(await workplace.runs(bot))].filter((run) => run !== here);
    return Promise.all(others.map((run) => look(workplace, bot, run)));
  });
  const begun = (await Promise.all(found)).flat().filter((run) => run !== undefined);
  return begun.sort((a, b) => ((a.since ?? "") < (b.since ?? "") ? 1 : -1));
}

async function look(workplace: OpenedWorkplace, bot: string, run: string | undefined): Promise<ShownRun | undefined> {
  const { focus, runs, moves, completedCount, archivedAt } = await (await workplace.engine(bot, run)).glance();
  if (run === undefined && moves.length === 0) return undefined;
  const steps = [...runs.values()].flatMap((pass) => [...pass.steps.values()]);
  const waiting = steps.flatMap(({ status, waiting: since }) => (status === "started" && since ? [since.since] : []));
  return {
    bot,
    ...(run === undefined ? {} : { run }),
    behavior: focus?.workflow ?? null,
    action: focus?.step ?? null,
    state: focus?.state ?? null,
    since: moves.at(-1)?.at ?? focus?.timestamp ?? null,
    completed: completedCount,
    ...(waiting[0] === undefined ? {} : { waiting_since: waiting[0] }),
    ...(archivedAt === null ? {} : { archived: true }),
  };
}

/** A line for each run; those put away are only counted. */
export function runLines(runs: readonly ShownRun[]): string[] {
  if (runs.length === 0) return [];
  const shown = runs.filter(({ archived }) => archived !== true);
  const rows = shown.map(({ bot, run, behavior, action, state, since, waiting_since }) => [
    `${state === "started" ? marks.started : marks.completed} ${plain(run === undefined ? runTitle(bot, run) : run)}`,
    [behavior, action].filter((part) => part !== null).join("."),
    waiting_since === undefined ? (state ?? "") : `waits for a person since ${moment(waiting_since)}`,
    since === null ? "" : moment(since),
  ]);
  const away = runs.length - shown.length;
  return [
    "Runs",
    ...inColumns(rows).map((line, at) => (shown[at]?.state === "started" ? paint("green", line) : line)),
    ...(away === 0 ? [] : [paint("dim", `  ${away} archived`)]),
  ];
}
