import type { SeenRunner } from "../../app/list-runners.ts";
import { statusSentence } from "../../dashboard/overview/status-sentence.ts";
import { defined } from "../../kit/defined.ts";
import { localTime } from "../../kit/local-time.ts";
import { continuePrompt, runArgument } from "../../messages/approval-texts.ts";
import { oneLine, paint } from "../terminal/print.ts";
import { botRunTitle } from "../terminal/workplace-options.ts";
import { wrap } from "../terminal/wrap.ts";
import { blockedLines } from "./blocked-lines.ts";
import type { StatusData } from "./collected-status.ts";
import { itemLines } from "./item-lines.ts";
import { staleLine } from "./stale-lines.ts";
import type { BotStatus, LoadedRun } from "./status-data.ts";
import { statusLines, statusMap } from "./status-map.ts";
import { countsText, type DisplayOptions, evidenceText, rowLines } from "./status-rows.ts";

/** Formats the whole status as lines for people. */
export function statusText({ bots, runs, sessions, runners = [] }: StatusData, choosing: DisplayOptions): string[] {
  const rows = [...bots, ...runs, ...sessions].flatMap(({ row }) => row ?? []);
  const counts = countsText(rows, true);
  const blocked = [...bots, ...runs, ...sessions].flatMap(blockedLines);
  const items = [
    ...bots.flatMap(({ shown: { bot, run, item_list: lists } }) => itemLines(botRunTitle(bot, run), lists)),
    ...sessions.flatMap(({ name, shown: { item_list: lists } }) => itemLines(name, lists)),
  ];
  const parts = [
    counts === "" ? [] : [counts],
    blocked.flatMap((line) => wrap(line, choosing.width, 4)),
    ...bots.map((bot) => botLines(bot, choosing)),
    rowLines("Runs", runs, choosing),
    rowLines("Sessions", sessions, choosing),
    bots.length + sessions.length > 0 ? [] : ["No sessions yet. Ask your assistant to start a workflow."],
    items.slice(1).flatMap((line) => wrap(line, choosing.width, 6)),
    runners.map(runnerLine),
  ];
  return parts.filter((part) => part.length > 0).flatMap((part, index) => (index === 0 ? part : ["", ...part]));
}

/** Formats a runner of the team server in one line. */
function runnerLine({ name, level, problem, seen }: SeenRunner): string {
  const last = seen === undefined ? "not seen yet" : `last seen ${localTime(seen)}`;
  return `runner ${name}: ${level === undefined ? paint("yellow", `does not count: ${problem}`) : `${level}, ${last}`}`;
}

function botLines(bot: LoadedRun<BotStatus>, { all, width }: DisplayOptions): string[] {
  const { shown, row } = bot;
  const stale = shown.workflows.flatMap(({ workflow, steps }) =>
    steps.flatMap((step) => (step.stale ?? []).map((one) => staleLine(`${workflow}.${step.step}`, one))),
  );
  const said = [...stale, ...shown.warnings.map((warning) => paint("yellow", `! ${warning}`))];
  const warnings = all ? said : said.slice(0, maxWarnings);
  const left = said.length - warnings.length;
  return [
    `${paint("bold", botRunTitle(shown.bot, shown.run))}  ${paint("dim", row === undefined ? "" : evidenceText(row))}`.trimEnd(),
    "",
    ...(all ? statusLines(shown) : statusMap(shown, width, row?.now?.workflow)),
    "",
    ...wrap(oneLine(nextText(bot)), width, 2).map((line) => paint("bold", line)),
    ...warnings.flatMap((line) => wrap(line, width, 2)),
    ...(left === 0 ? [] : [paint("dim", `  ${left} more (show with --all)`)]),
  ];
}

/** The most warnings shown without `--all`. */
const maxWarnings = 6;

/** The status of a bot in a sentence, and what a person can do next. */
function nextText({ shown: { bot, run, closed, workflows }, row }: LoadedRun<BotStatus>): string {
  const id = { kind: "bot", name: bot, ...defined({ run }) } as const;
  if (row?.stands === "archived") return `Archived. Restart it with resume "restart" to continue.`;
  if (closed !== undefined) return `Can't start until this is fixed: ${closed.message}. Fix ${closed.file}.`;
  if (row?.now === undefined) {
    const [first] = workflows;
    if (row !== undefined) return statusSentence(row, new Date());
    return first === undefined ? "No behaviors." : `Nothing has started yet. ${tellText(continuePrompt(id, first))}`;
  }
  const { waitingSince, since } = row.now;
  const said = statusSentence(row, new Date());
  if (waitingSince !== undefined) return `${said} Read it: waymark show ${runArgument(id, row.now)}`;
  return since === undefined ? `${said} ${tellText(continuePrompt(id, row.now))}` : said;
}

function tellText(prompt: string): string {
  return `Tell your assistant: "${prompt}"`;
}
