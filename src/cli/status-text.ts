import { paint } from "./print.ts";
import { staleLine } from "./stale-lines.ts";
import type { Looked } from "./status.ts";
import type { Choosing } from "./status-choice.ts";
import type { BotStanding } from "./status-data.ts";
import { statusLines, waitsFor } from "./status-lines.ts";
import { doneText, statusMap } from "./status-map.ts";
import { runLines } from "./status-runs.ts";
import { sessionLines } from "./status-sessions.ts";
import { statusTable } from "./status-table.ts";
import { runTitle } from "./workplace.ts";
import { wrap } from "./wrap.ts";

/** Where everything stands, in lines for people: what matters, or all of it. */
export function statusText({ standings, runs, sessions }: Looked, choosing: Choosing): string[] {
  const lines = standings.flatMap((standing, index) => [
    ...(index > 0 ? [""] : []),
    ...standingLines(standing, choosing),
  ]);
  const ofRuns = runLines(runs, choosing);
  if (ofRuns.length > 0) lines.push("", ...ofRuns);
  const ofSessions = sessionLines(sessions, choosing);
  if (ofSessions.length > 0) lines.push(...(standings.length === 0 ? [] : [""]), ...ofSessions);
  else if (standings.length === 0) lines.push("No session yet. Ask your assistant to start a workflow.");
  return lines;
}

function standingLines(standing: BotStanding, { all, width }: Choosing): string[] {
  const map = all
    ? (statusTable(standing, Number.isFinite(width) ? width : 0) ?? statusLines(standing))
    : statusMap(standing, width);
  const stale = standing.workflows.flatMap(({ workflow, steps }) =>
    steps.flatMap((step) => (step.stale ?? []).map((one) => staleLine(`${workflow}.${step.step}`, one))),
  );
  const said = [...stale, ...standing.warnings.map((warning) => paint("yellow", `! ${warning}`))];
  const shown = all ? said : said.slice(0, mostSaid);
  const left = said.length - shown.length;
  return [
    `${paint("bold", runTitle(standing.bot, standing.run))}  ${paint("dim", doneText(standing))}`,
    "",
    ...map,
    "",
    ...wrap(nextLine(standing), width, 2).map((line) => paint("bold", line)),
    ...shown.flatMap((line) => wrap(line, width, 2)),
    ...(left === 0 ? [] : [paint("dim", `  ${left} more to say (--all)`)]),
  ];
}

/** So much is said besides, unless all is asked for. */
const mostSaid = 6;

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
