import type { OpenedWorkplace } from "../compose.ts";
import { inColumns, paint, plain } from "./print.ts";
import { type StaleStep, staleLine, staleSteps } from "./stale-lines.ts";
import { marks, moment } from "./status-lines.ts";
import type { BotAtWork } from "./workplace.ts";

/** A run in one line: the step that it is at, since when, and what that waits for. */
export type ShownRun = {
  readonly bot: string;
  readonly run?: string;
  readonly behavior: string | null;
  readonly action: string | null;
  readonly state: "started" | "next" | "finished";
  readonly since: string | null;
  readonly completed: number;
  readonly waiting_since?: string;
  readonly stale?: readonly StaleStep[];
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
  const engine = await workplace.engine(bot, run);
  const { moves } = await engine.glance();
  if (moves.length === 0) return undefined;
  const { focus, workflows, completed, archivedAt } = await engine.standing();
  const at = workflows.find(({ workflow }) => workflow === focus?.workflow);
  const stale = archivedAt === null ? staleSteps(await engine.stale()) : [];
  const step = at?.steps.find(({ state }) => state === "started" || state === "next");
  return {
    bot,
    ...(run === undefined ? {} : { run }),
    behavior: focus?.workflow ?? null,
    action: step?.step ?? null,
    state: step?.state === "started" ? "started" : step === undefined ? "finished" : "next",
    since: moves.at(-1)?.at ?? null,
    completed,
    ...(step?.waitingSince === undefined ? {} : { waiting_since: step.waitingSince }),
    ...(archivedAt === null ? {} : { archived: true }),
    ...(stale.length === 0 ? {} : { stale }),
  };
}

const markOf = { started: marks.started, next: marks.next, finished: marks.completed } as const;

/** A line for each run; those put away are only counted. */
export function runLines(runs: readonly ShownRun[]): string[] {
  if (runs.length === 0) return [];
  const shown = runs.filter(({ archived }) => archived !== true);
  const rows = shown.map(({ bot, run, behavior, action, state, since, waiting_since }) => [
    `${markOf[state]} ${plain(run ?? `the own run of ${bot} in the main work tree`)}`,
    [behavior, action].filter((part) => part !== null).join("."),
    waiting_since === undefined ? state : `waits for a person since ${moment(waiting_since)}`,
    since === null ? "" : moment(since),
  ]);
  const away = runs.length - shown.length;
  return [
    "Runs",
    ...inColumns(rows).map((line, at) => (shown[at]?.state === "started" ? paint("green", line) : line)),
    ...(away === 0 ? [] : [paint("dim", `  ${away} archived`)]),
    ...shown.flatMap(({ bot, run, stale = [] }) =>
      stale.map((one) => staleLine(`run ${run ?? bot}, ${one.behavior}.${one.action}`, one)),
    ),
  ];
}
