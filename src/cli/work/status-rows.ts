import { byNeed } from "../../dashboard/overview/by-need.ts";
import {
  conditionOrder,
  conditions,
  countByCondition,
  type RunCondition,
} from "../../dashboard/overview/conditions.ts";
import { evidenceCountText } from "../../dashboard/overview/evidence-text.ts";
import type { RunRow } from "../../dashboard/overview/run-row-data.ts";
import { signOf } from "../../dashboard/overview/step-signs.ts";
import { rowText } from "../../dashboard/overview/step-text.ts";
import { localTime } from "../../kit/local-time.ts";
import { alignColumns, oneLine, paint } from "../terminal/print.ts";
import { wrap } from "../terminal/wrap.ts";
import { staleLine } from "./stale-lines.ts";
import type { ListedRun } from "./status-data.ts";

/** Display options: whether to show everything, and the width. */
export type DisplayOptions = { readonly all: boolean; readonly width: number };

/** The most runs listed, and the number to fill up to. */
const maxShown = 12;
const minShown = 5;
/** The most steps drawn in a row. */
const maxSigns = 24;

/** Formats a line for each run that needs attention, or for all, and counts the others. */
export function rowLines(title: string, runs: readonly ListedRun[], { all, width }: DisplayOptions): string[] {
  if (runs.length === 0) return [];
  const sorted = [...runs].sort((one, other) => byNeed(one.row, other.row));
  const shown = all ? sorted : pickRuns(sorted);
  const rest = countsText(sorted.filter((run) => !shown.includes(run)).map(({ row }) => row));
  const heads = alignColumns(
    shown.map(({ row, title: known, name, overview }) => [
      `${conditions[row.stands].symbol} ${Number.isFinite(width) ? cutTitle(oneLine(known)) : oneLine(known)}`,
      strip(row),
      localTime(row.now?.waitingSince ?? row.changed ?? ""),
      all ? overview.id.name : name === known ? "" : name,
    ]),
  );
  const texts = shown.map(({ row }) => oneLine(textOf(row, all)));
  const left = Math.max(...heads.map(({ length }) => length));
  const isWide = texts.every((text) => left + 2 + text.length <= width);
  return [
    title,
    ...shown.flatMap(({ row }, at) => {
      const [head = "", text = ""] = [heads[at], texts[at]];
      const lines = isWide ? [`${head.padEnd(left)}  ${text}`] : [head, ...wrap(`      ${text}`, width, 6)];
      return lines.map((line) => paintRow(row, line));
    }),
    ...(rest === "" ? [] : [paint("dim", `  ${rest} (show with --all)`)]),
    ...shown.flatMap(({ stale }) => stale.flatMap((one) => wrap(staleLine(...one), width, 2))),
  ];
}

/** The most letters of a title; its end tells files apart. */
const maxTitle = 40;

function cutTitle(title: string): string {
  return title.length <= maxTitle ? title : `…${title.slice(1 - maxTitle)}`;
}

/** Describes the current step of a run, its evidence and, if all is shown, its workflow. */
function textOf(row: RunRow, all: boolean): string {
  const workflow = all && row.kind === "session" ? row.workflow : "";
  return [rowText(row), evidenceText(row), workflow].filter((part) => part !== "").join(" · ");
}

/** Counts runs by condition in one line, the most urgent first. */
export function countsText(rows: readonly { readonly stands: RunCondition | null }[], isPainted = false): string {
  const counts = countByCondition(rows);
  const said = conditionOrder
    .filter((one) => counts[one] > 0)
    .map((one) => {
      const text = `${counts[one]} ${conditions[one].word}`;
      return isPainted ? paintCondition(one, text) : text;
    });
  return said.join(" · ");
}

/** Describes the evidence of a run, or returns "" where there is none. */
export function evidenceText({ evidence }: RunRow): string {
  return Object.values(evidence).every((count) => count === 0) ? "" : evidenceCountText(evidence);
}

/** Colours a text by the condition of its run. */
export function paintCondition(condition: RunCondition, text: string): string {
  return condition === "waits" ? paint("yellow", text) : condition === "stuck" ? paint("red", text) : text;
}

function paintRow(row: RunRow, line: string): string {
  if (row.now?.since !== undefined && (row.stands === "working" || row.stands === "quiet")) return paint("green", line);
  return paintCondition(row.stands, line);
}

/** The map of a run's current workflow, one symbol for each step. */
function strip({ map, now, completed, steps }: RunRow): string {
  const signs = (map.find(({ workflow }) => workflow === now?.workflow) ?? map[0])?.signs ?? "";
  return signs.length > maxSigns ? `${completed}/${steps}` : [...signs].map((sign) => signOf(sign).symbol).join("");
}

/** Picks the runs that need attention, and fills up with the latest others. */
function pickRuns(runs: readonly ListedRun[]): readonly ListedRun[] {
  const isUrgent = ({ row: { stands } }: ListedRun): boolean => ["waits", "stuck", "working"].includes(stands);
  const urgent = runs.filter(isUrgent);
  const others = runs.filter((run) => !isUrgent(run) && run.row.stands !== "archived");
  return [...urgent.slice(0, maxShown), ...others.slice(0, Math.max(0, minShown - urgent.length))];
}
