import type { OpenedWorkplace } from "../compose.ts";
import { saidInWords } from "../words/notices.ts";
import { follow } from "./follow.ts";
import { jsonText, paint, print, printJson } from "./print.ts";
import { staleLine } from "./stale-lines.ts";
import { type BotStanding, type ShownSession, sessionsShown, standingOf } from "./status-data.ts";
import { statusLines, waitsFor } from "./status-lines.ts";
import { runLines, runsShown, type ShownRun } from "./status-runs.ts";
import { sessionLines } from "./status-sessions.ts";
import { statusTable } from "./status-table.ts";
import { type BotAtWork, type BotOptions, botsAtWork, runTitle, workplaceFor } from "./workplace.ts";

/** Prints where every behavior stands and what comes next: a table on a wide terminal, plain lines elsewhere. */
export async function status(options: BotOptions & { readonly watch?: true }): Promise<void> {
  const workplace = workplaceFor(options);
  const bots = await botsAtWork(workplace, options);
  if (!options.watch) return show(options, await look(options, workplace, bots));
  let last = "";
  return follow(workplace, async () => {
    const looked = await look(options, workplace, bots);
    const now = JSON.stringify(looked);
    if (now !== last) showAgain(options, looked);
    last = now;
  });
}

/** Everything that is shown. */
type Looked = {
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

function showAgain(options: BotOptions, looked: Looked): void {
  if (options.json) {
    print(jsonText(asData(looked)));
    return;
  }
  print(process.stdout.isTTY ? "\x1b[2J\x1b[H" : "");
  show(options, looked);
}

function show(options: BotOptions, looked: Looked): void {
  const { standings, runs, sessions, heard } = looked;
  if (options.json) {
    printJson(asData(looked));
    return;
  }
  for (const [index, standing] of standings.entries()) printStanding(standing, index > 0);
  const ofRuns = runLines(runs);
  if (ofRuns.length > 0) print("", ...ofRuns);
  const lines = sessionLines(sessions);
  if (lines.length > 0) print(...(standings.length === 0 ? [] : [""]), ...lines);
  else if (standings.length === 0) print("No session yet. Ask your assistant to start a workflow.");
  for (const warning of heard) print(paint("yellow", `! ${warning}`));
}

/** One bot is shown as itself; several, or none, in a list. */
function asData({ standings, runs, sessions, heard }: Looked): object {
  const warned = heard.length === 0 ? {} : { session_warnings: heard };
  const [only, another] = standings;
  if (only !== undefined && another === undefined) return { ...only, runs, sessions, ...warned };
  return { bots: standings, runs, sessions, ...warned };
}

function printStanding(standing: BotStanding, isFurther: boolean): void {
  if (isFurther) print("");
  const width = process.stdout.isTTY ? (process.stdout.columns ?? 0) : 0;
  const map = statusTable(standing, width) ?? statusLines(standing);
  const stale = standing.workflows.flatMap(({ workflow, steps }) =>
    steps.flatMap((step) => (step.stale ?? []).map((one) => staleLine(`${workflow}.${step.step}`, one))),
  );
  print(
    paint("bold", runTitle(standing.bot, standing.run)),
    "",
    ...map,
    "",
    paint("bold", nextLine(standing)),
    ...stale,
  );
  for (const warning of standing.warnings) print(paint("yellow", `! ${warning}`));
}

/** What comes next, and what it waits for. */
function nextLine({ bot, run, archived, workflows, focus, closed }: BotStanding): string {
  if (archived) return `Archived: it takes nothing more until somebody begins it anew with resume "restart".`;
  if (closed !== undefined) return `Closed: ${closed.message}. Mend ${closed.file}.`;
  const workflow = workflows.find((candidate) => candidate.workflow === focus?.workflow) ?? workflows[0];
  if (workflow === undefined) return "No behaviors.";
  const current = workflow.steps.find(({ state }) => state === "started" || state === "next");
  if (current === undefined) {
    const following = workflows.find(({ finished }) => !finished);
    return following === undefined
      ? "Everything is done."
      : `${workflow.workflow} is done. Next behavior: ${following.workflow}.`;
  }
  const place = `${workflow.workflow}.${current.step}`;
  if (current.state === "next")
    return `Next: ${place}. Ask your assistant to go on with the ${runTitle(bot.replaceAll("_", " "), run)}.`;
  return `${place} is open and waits for ${waitsFor(current)}.`;
}
