import type { SeenRunner } from "../../app/list-runners.ts";
import type { RunCondition } from "../../dashboard/overview/run-condition.ts";
import { countByCondition } from "../../dashboard/overview/run-summary.ts";
import { localTime } from "../../kit/local-time.ts";
import { paint } from "../terminal/print.ts";
import { botRunTitle } from "../terminal/workplace-options.ts";
import { wrap } from "../terminal/wrap.ts";
import { blockedLines } from "./blocked-lines.ts";
import type { StatusData } from "./collected-status.ts";
import { itemLines } from "./item-lines.ts";
import { staleLine } from "./stale-lines.ts";
import type { BotStatus } from "./status-data.ts";
import { statusLines, waitingForText } from "./status-lines.ts";
import { progressText, statusMap } from "./status-map.ts";
import { conditions, type DisplayOptions } from "./status-pick.ts";
import { runLines } from "./status-runs.ts";
import { sessionLines } from "./status-sessions.ts";

/** Formats the whole status as lines for people. */
export function statusText(
  { bots: statuses, runs, sessions, runners = [] }: StatusData,
  choosing: DisplayOptions,
): string[] {
  const blocked = blockedLines({ bots: statuses, runs, sessions });
  const lines = statuses.flatMap((status, index) => [...(index > 0 ? [""] : []), ...botLines(status, choosing)]);
  const ofRuns = runLines(runs, choosing);
  if (ofRuns.length > 0) lines.push("", ...ofRuns);
  const ofSessions = sessionLines(sessions, choosing);
  if (ofSessions.length > 0) lines.push(...(statuses.length === 0 ? [] : [""]), ...ofSessions);
  else if (statuses.length === 0) lines.push("No sessions yet. Ask your assistant to start a workflow.");
  const items = [
    ...statuses.flatMap(({ bot, run, item_list: lists }) => itemLines(botRunTitle(bot, run), lists)),
    ...sessions.flatMap(({ session_id: id, item_list: lists }) => itemLines(id, lists)),
  ];
  lines.push(...items.flatMap((line) => wrap(line, choosing.width, 6)));
  if (runners.length > 0) lines.push("", ...runners.map(runnerLine));
  const counted = countLine([...statuses, ...runs, ...sessions]);
  return [...counted, ...blocked.flatMap((line) => wrap(line, choosing.width, 4)), ...lines];
}

/** Formats a runner of the team server in one line. */
function runnerLine({ name, level, problem, seen }: SeenRunner): string {
  const last = seen === undefined ? "not seen yet" : `last seen ${localTime(seen)}`;
  return `runner ${name}: ${level === undefined ? paint("yellow", `does not count: ${problem}`) : `${level}, ${last}`}`;
}

/** Counts all runs by their condition in one line, the most urgent first. */
function countLine(all: readonly { readonly stands: RunCondition | null }[]): string[] {
  const counts = countByCondition(all);
  const said = conditions.flatMap(([condition, , word]) => {
    const count = counts[condition];
    if (count === 0) return [];
    const style = condition === "waits" ? "yellow" : condition === "stuck" ? "red" : undefined;
    return [style === undefined ? `${count} ${word}` : paint(style, `${count} ${word}`)];
  });
  return said.length === 0 ? [] : [said.join(" · "), ""];
}

function botLines(status: BotStatus, { all, width }: DisplayOptions): string[] {
  const map = all ? statusLines(status) : statusMap(status, width);
  const stale = status.workflows.flatMap(({ workflow, steps }) =>
    steps.flatMap((step) => (step.stale ?? []).map((one) => staleLine(`${workflow}.${step.step}`, one))),
  );
  const said = [...stale, ...status.warnings.map((warning) => paint("yellow", `! ${warning}`))];
  const shown = all ? said : said.slice(0, maxWarnings);
  const left = said.length - shown.length;
  return [
    `${paint("bold", botRunTitle(status.bot, status.run))}  ${paint("dim", progressText(status))}`,
    "",
    ...map,
    "",
    ...wrap(nextLine(status), width, 2).map((line) => paint("bold", line)),
    ...shown.flatMap((line) => wrap(line, width, 2)),
    ...(left === 0 ? [] : [paint("dim", `  ${left} more (show with --all)`)]),
  ];
}

/** The most warnings shown without `--all`. */
const maxWarnings = 6;

/** Describes what comes next and what it waits for. */
function nextLine({ bot, run, archived, workflows, focus, closed }: BotStatus): string {
  if (archived) return `Archived. Restart it with resume "restart" to continue.`;
  if (closed !== undefined) return `Can't start until this is fixed: ${closed.message}. Fix ${closed.file}.`;
  const workflow = workflows.find((candidate) => candidate.workflow === focus?.workflow) ?? workflows[0];
  if (workflow === undefined) return "No behaviors.";
  const current = workflow.steps.find(({ state }) => state === "started" || state === "next");
  if (current === undefined) {
    // as the tools say it: the next in order, and what was left out only after that
    const following = workflows.slice(workflows.indexOf(workflow) + 1).find(({ finished }) => !finished);
    if (following !== undefined) return `${workflow.workflow} is done. Next behavior: ${following.workflow}.`;
    const left = workflows.find(({ finished }) => !finished);
    return left === undefined ? "Everything is done." : `${workflow.workflow} is done. Not finished: ${left.workflow}.`;
  }
  const place = `${workflow.workflow}.${current.step}`;
  if (current.state === "next")
    return `Next: ${place}. Ask your assistant to continue the ${botRunTitle(bot.replaceAll("_", " "), run)}.`;
  return `${place} is open, waiting for ${waitingForText(current)}.`;
}
