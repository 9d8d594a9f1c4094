import type { Standing } from "../engine/standing.ts";
import type { SessionView } from "../workflow/session-view.ts";
import { type Followed, follow } from "./follow.ts";
import { paint, print, printJson } from "./print.ts";
import { statusLines, waitsFor } from "./status-lines.ts";
import { sessionLines } from "./status-sessions.ts";
import { statusTable } from "./status-table.ts";
import { type BotOptions, enginesFor, workplaceFor } from "./workplace.ts";

/** Prints where every behavior stands and what comes next: a table on a wide terminal, plain lines elsewhere. */
export async function status(options: BotOptions & { readonly watch?: true }): Promise<void> {
  if (options.watch) return follow(options, (source) => show(options, source, true));
  await show(options, { engines: enginesFor(options), phased: workplaceFor(options).phased }, false);
}

async function show(options: BotOptions, { engines, phased }: Followed, isAgain: boolean): Promise<void> {
  const standings = await Promise.all(
    engines.map(async ({ engine, warnings }) => {
      const standing = await engine.standing();
      return { ...standing, warnings: [...warnings, ...standing.warnings] };
    }),
  );
  const sessions = options.bot === undefined ? await phased.views() : [];
  const heard = phased.unsaid();
  if (options.json) {
    const data = { ...asData(standings, sessions), ...(heard.length === 0 ? {} : { session_warnings: heard }) };
    return isAgain ? print(JSON.stringify(data)) : printJson(data);
  }
  if (isAgain) print(process.stdout.isTTY ? "\x1b[2J\x1b[H" : "");
  for (const [index, standing] of standings.entries()) printStanding(standing, index > 0);
  const lines = sessionLines(sessions);
  if (lines.length > 0) print(...(standings.length === 0 ? [] : [""]), ...lines);
  else if (standings.length === 0) print("No session yet. Ask your assistant to start a workflow.");
  for (const warning of heard) print(paint("yellow", `! ${warning}`));
}

/** One bot is shown as itself; several, or none, in a list. */
function asData(standings: readonly Standing[], sessions: readonly SessionView[]): object {
  const shown = sessions.map(({ phase_artifacts: _, ...view }) => view);
  const [only, another] = standings;
  if (only !== undefined && another === undefined) return { ...only, sessions: shown };
  return { bots: standings, sessions: shown };
}

function printStanding(standing: Standing, isFurther: boolean): void {
  if (isFurther) print("");
  const width = process.stdout.isTTY ? (process.stdout.columns ?? 0) : 0;
  const map = statusTable(standing, width) ?? statusLines(standing);
  print(paint("bold", standing.bot), "", ...map, "", paint("bold", nextLine(standing)));
  for (const warning of standing.warnings) print(paint("yellow", `! ${warning}`));
}

/** What comes next, and what it waits for. */
function nextLine({ bot, workflows, focus, closed }: Standing): string {
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
    return `Next: ${place}. Ask your assistant to go on with the ${bot.replaceAll("_", " ")}.`;
  return `${place} is open and waits for ${waitsFor(current)}.`;
}
