import type { OpenedWorkplace } from "../compose.ts";
import { inColumns, paint, plain } from "./print.ts";
import { type StaleStep, staleLine, staleSteps } from "./stale-lines.ts";
import { type Choosing, chosen } from "./status-choice.ts";
import { type ShownTurn, turnOf } from "./status-data.ts";
import { marks, moment, turnWords } from "./status-lines.ts";
import type { BotAtWork } from "./workplace.ts";
import { wrap } from "./wrap.ts";

/** A run in one line: the step that it is at, since when, and what that waits for. */
export type ShownRun = ShownTurn & {
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
  const mapped = await engine.map();
  const turn = turnOf(mapped);
  if (turn === undefined) return undefined;
  const { desk, workflows } = mapped;
  const { focus, archivedAt } = desk;
  const at = workflows.find(({ workflow }) => workflow === focus?.workflow);
  const stale = archivedAt === null ? staleSteps(await engine.stale()) : [];
  const step = at?.steps.find(({ state }) => state === "started" || state === "next");
  const { at: _, ...said } = turn;
  return {
    bot,
    ...(run === undefined ? {} : { run }),
    behavior: focus?.workflow ?? null,
    action: step?.step ?? null,
    state: step?.state === "started" ? "started" : step === undefined ? "finished" : "next",
    since: desk.moves.at(-1)?.at ?? null,
    completed: desk.completedCount,
    ...said,
    ...(archivedAt === null ? {} : { archived: true }),
    ...(stale.length === 0 ? {} : { stale }),
  };
}

const markOf = { started: marks.started, next: marks.next, finished: marks.completed } as const;

/** A line for each run that matters, or for all; the others are only counted. */
export function runLines(runs: readonly ShownRun[], { all, width }: Choosing): string[] {
  if (runs.length === 0) return [];
  const { shown, rest } = chosen(runs, all);
  const rows = shown.map(({ bot, run, behavior, action, state, since, ...turn }) => [
    `${markOf[state]} ${plain(run ?? `the own run of ${bot} in the main work tree`)}`,
    [behavior, action].filter((part) => part !== null).join("."),
    turnWords(turn) ?? state,
    since === null ? "" : moment(since),
  ]);
  return [
    "Runs",
    ...inColumns(rows).flatMap((line, at) => wrap(line, width, 6).map((one) => painted(shown[at], one))),
    ...rest,
    ...shown.flatMap(({ bot, run, stale = [] }) =>
      stale.flatMap((one) => wrap(staleLine(`run ${run ?? bot}, ${one.behavior}.${one.action}`, one), width, 2)),
    ),
  ];
}

function painted(run: ShownRun | undefined, line: string): string {
  if (run?.stuck) return paint("red", line);
  return run?.waiting_since !== undefined
    ? paint("yellow", line)
    : run?.state === "started"
      ? paint("green", line)
      : line;
}
