import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { SeenRunner } from "../../app/list-runners.ts";
import type { OpenedWorkplace } from "../../app/open-workplace.ts";
import { countByCondition } from "../../dashboard/overview/conditions.ts";
import { warningTexts } from "../../messages/notices.ts";
import { jsonText, paint, print, printJson } from "../terminal/print.ts";
import { type BotOptions, type OpenedBot, openBots, workplaceFor } from "../terminal/workplace-options.ts";
import { terminalSize, wrap } from "../terminal/wrap.ts";
import type { StatusData } from "./collected-status.ts";
import { onEveryChange } from "./on-every-change.ts";
import { botStatus, sessionStatuses } from "./status-data.ts";
import { otherRuns } from "./status-runs.ts";
import { statusText } from "./status-text.ts";

export type StatusOptions = BotOptions & {
  readonly watch?: true;
  readonly all?: true;
  readonly insights?: true;
  readonly items?: true;
};

/** Prints where every run is and what comes next. */
export async function status(options: StatusOptions): Promise<void> {
  const workplace = workplaceFor(options);
  if (options.insights) return (await import("./show-insights.ts")).insights(workplace, options);
  const bots = await openBots(workplace, options);
  if (!options.watch) return printStatus(options, await loadStatus(options, workplace, bots));
  if (process.stdout.isTTY && !options.json) {
    const { watch } = await import("./status-watch.ts");
    return watch(workplace, async (width) => {
      const looked = await loadStatus(options, workplace, bots);
      const lines = statusText(looked, { all: options.all === true, width });
      return { lines, waiting: countRuns(looked).waits };
    });
  }
  let last = "";
  return onEveryChange(workplace, async () => {
    const looked = await loadStatus(options, workplace, bots);
    const data = statusJson(looked);
    const now = JSON.stringify(data);
    if (now !== last && options.json) print(jsonText(data));
    else if (now !== last) {
      print("");
      printStatus(options, looked);
    }
    last = now;
  });
}

async function loadStatus(
  options: StatusOptions,
  workplace: OpenedWorkplace,
  bots: readonly OpenedBot[],
): Promise<StatusData> {
  const { sessions } = workplace;
  const statuses = await Promise.all(bots.map((bot) => botStatus(bot, sessions, options.items)));
  const runs = options.run === undefined ? await otherRuns(workplace, bots) : [];
  const shown =
    options.bot === undefined && options.run === undefined ? await sessionStatuses(sessions, options.items) : [];
  return {
    bots: statuses,
    runs,
    sessions: shown,
    runners: await runnersOf(options, workplace),
    sessionWarnings: warningTexts(sessions.takeNotices(), { kind: "session", name: "" }),
  };
}

/** Lists the runners of the definitions; nothing is opened where there are none. */
async function runnersOf(
  { root, postgres }: BotOptions,
  { definitions }: OpenedWorkplace,
): Promise<readonly SeenRunner[]> {
  if (!existsSync(join(definitions, "runners.json"))) return [];
  const { seenRunners } = await import("../../app/list-runners.ts");
  const { openTeam } = await import("../../app/open-team-server.ts");
  const sightings = postgres?.team.sightings ?? (await openTeam({ root: resolve(root) })).sightings;
  return seenRunners({ definitions, areas: [resolve(root)] }, () => sightings.list("runner"));
}

function printStatus(options: StatusOptions, looked: StatusData): void {
  if (options.json) {
    printJson(statusJson(looked));
    return;
  }
  print(...statusText(looked, { all: options.all === true, width: terminalSize().width }));
  const { width } = terminalSize();
  for (const warning of looked.sessionWarnings)
    print(...wrap(`! ${warning}`, width, 2).map((line) => paint("yellow", line)));
}

function countRuns({ bots, runs, sessions }: StatusData): ReturnType<typeof countByCondition> {
  return countByCondition([...bots, ...runs, ...sessions].flatMap(({ row }) => row ?? []));
}

/** Formats one bot as an object of its own, and several or none as a list. */
function statusJson(looked: StatusData): object {
  const { bots, sessionWarnings, runners = [] } = looked;
  const listed = {
    runs: looked.runs.map(({ shown }) => shown),
    sessions: looked.sessions.map(({ shown }) => shown),
    counts: countRuns(looked),
    ...(runners.length === 0 ? {} : { runners }),
    ...(sessionWarnings.length === 0 ? {} : { session_warnings: sessionWarnings }),
  };
  const [only, another] = bots;
  if (only !== undefined && another === undefined) return { ...only.shown, ...listed };
  return { bots: bots.map(({ shown }) => shown), ...listed };
}
