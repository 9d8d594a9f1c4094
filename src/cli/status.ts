import type { OpenedWorkplace } from "../compose.ts";
import { countsOf } from "../overview/summary.ts";
import { saidInWords } from "../words/notices.ts";
import { follow } from "./follow.ts";
import { jsonText, paint, print, printJson } from "./print.ts";
import { type BotStanding, type ShownSession, sessionsShown, standingOf } from "./status-data.ts";
import { runsShown, type ShownRun } from "./status-runs.ts";
import { statusText } from "./status-text.ts";
import { type BotAtWork, type BotOptions, botsAtWork, workplaceFor } from "./workplace.ts";
import { roomHere } from "./wrap.ts";

export type StatusOptions = BotOptions & { readonly watch?: true; readonly all?: true; readonly insights?: true };

/** Prints where every behavior stands and what comes next: what matters, or all of it. */
export async function status(options: StatusOptions): Promise<void> {
  const workplace = workplaceFor(options);
  if (options.insights) return (await import("./insights.ts")).insights(workplace, options);
  const bots = await botsAtWork(workplace, options);
  if (!options.watch) return show(options, await look(options, workplace, bots));
  if (process.stdout.isTTY && !options.json) {
    const { watch } = await import("./status-watch.ts");
    return watch(workplace, async (width) => {
      const looked = await look(options, workplace, bots);
      const lines = statusText(looked, { all: options.all === true, width });
      return { lines, waiting: countsIn(looked).waits };
    });
  }
  let last = "";
  return follow(workplace, async () => {
    const looked = await look(options, workplace, bots);
    const now = JSON.stringify(looked);
    if (now !== last) showAgain(options, looked);
    last = now;
  });
}

/** Everything that is shown. */
export type Looked = {
  readonly standings: readonly BotStanding[];
  /** The runs that are not shown whole. */
  readonly runs: readonly ShownRun[];
  readonly sessions: readonly ShownSession[];
  /** What was found out about sessions. */
  readonly heard: readonly string[];
};

async function look(options: BotOptions, workplace: OpenedWorkplace, bots: readonly BotAtWork[]): Promise<Looked> {
  const { sessions } = workplace;
  const standings = await Promise.all(bots.map(standingOf));
  const runs = options.run === undefined ? await runsShown(workplace, bots) : [];
  const shown = options.bot === undefined && options.run === undefined ? await sessionsShown(sessions) : [];
  return { standings, runs, sessions: shown, heard: saidInWords(sessions.told(), { kind: "session", name: "" }) };
}

function showAgain(options: StatusOptions, looked: Looked): void {
  if (options.json) {
    print(jsonText(asData(looked)));
    return;
  }
  print("");
  show(options, looked);
}

function show(options: StatusOptions, looked: Looked): void {
  if (options.json) {
    printJson(asData(looked));
    return;
  }
  print(...statusText(looked, { all: options.all === true, width: roomHere().width }));
  for (const warning of looked.heard) print(paint("yellow", `! ${warning}`));
}

function countsIn({ standings, runs, sessions }: Looked): ReturnType<typeof countsOf> {
  return countsOf([...standings, ...runs, ...sessions]);
}

/** One bot is shown as itself; several, or none, in a list. */
function asData(looked: Looked): object {
  const { standings, runs, sessions, heard } = looked;
  const warned = heard.length === 0 ? {} : { session_warnings: heard };
  const counts = countsIn(looked);
  const [only, another] = standings;
  if (only !== undefined && another === undefined) return { ...only, runs, sessions, counts, ...warned };
  return { bots: standings, runs, sessions, counts, ...warned };
}
