import type { OpenedWorkplace } from "../compose.ts";
import { durationText } from "../overview/duration.ts";
import { type Insights, insightsReader, type StepInsights, type WorkflowInsights } from "../overview/insights.ts";
import { inColumns, paint, plain, print, printJson } from "./print.ts";
import { noRun, runNamed } from "./workplace.ts";
import { cut, roomHere, wrap } from "./wrap.ts";

type InsightsOptions = { readonly bot?: string; readonly run?: string; readonly json?: true; readonly all?: true };

/** Prints how the process does, over every history or those of a bot or run. */
export async function insights(workplace: OpenedWorkplace, options: InsightsOptions): Promise<void> {
  const found = await readInsights(workplace, options);
  if (options.json) return printJson(found);
  if (found.runs === 0) return print("Nothing is on record yet: there is nothing to learn from.");
  const { width } = roomHere();
  print(paint("bold", `Insights over ${count(found.runs, "run")} and ${count(found.events, "event")}`));
  for (const workflow of found.workflows) print("", ...workflowLines(workflow, width, options.all === true));
}

async function readInsights(workplace: OpenedWorkplace, { bot, run: written }: InsightsOptions): Promise<Insights> {
  const run = runNamed(written);
  const reader = insightsReader();
  let read = 0;
  for (const { log } of await workplace.logs())
    for (const id of await log.desks()) {
      const isMeant = bot === undefined && run === undefined;
      if (!isMeant && (id.kind !== "bot" || id.name !== (bot ?? id.name) || id.run !== (run ?? id.run))) continue;
      read += 1;
      const feed = reader.desk(id);
      for await (const { events } of log.records(id)) for (const event of events) feed(event);
    }
  if (run !== undefined && read === 0) throw noRun(run);
  return reader.insights();
}

function workflowLines(one: WorkflowInsights, width: number, all: boolean): string[] {
  const { workflow, walks, finished, outOfTurn, all: figures } = one;
  const refused = figures.refusals.map(({ code, times }) => `${code} ${times}`).join(", ");
  const turn = outOfTurn === 0 ? "" : `, ${count(outOfTurn, "call")} out of turn`;
  const head = `${plain(workflow)}: ${count(walks, "walk")}, ${finished} finished, first pass ${rate(figures)}${turn}`;
  const steps = one.steps.map((step) => [nameOf(one, step), ...cellsOf(step)]);
  const rows = [["step", "first pass", "work", "waited for people", "missed most"], ...steps];
  const table = inColumns(rows).map((line) => (Number.isFinite(width) ? cut(line, width) : line));
  const versions = all ? one.steps.flatMap((step) => versionLines(one, step)) : [];
  return [
    ...wrap(head, width, 2).map((line) => paint("bold", line)),
    ...(refused === "" ? [] : wrap(`  refused: ${refused}`, width, 4)),
    ...table.map((line, at) => (at === 0 ? paint("dim", line) : line)),
    ...versions,
  ];
}

/** Each version of a step's gate by itself, where there were several. */
function versionLines(one: WorkflowInsights, step: StepInsights): string[] {
  if (step.versions.length < 2) return [];
  const rows = step.versions.map((version) => [
    `${version.version ?? "not recorded"} since ${version.since.slice(0, 10)}`,
    ...cellsOf(version),
  ]);
  return [
    paint("dim", `  ${nameOf(one, step)}, by what it was judged by:`),
    ...inColumns(rows).map((line) => `  ${line}`),
  ];
}

function cellsOf({ work, waits, missed, ...figures }: Omit<StepInsights, "step" | "versions">): string[] {
  const asked = waits.times === 0 ? "" : `${waits.times}×, ${durationText(waits.median ?? 0)}`;
  return [
    rate(figures),
    work.median === null ? "" : durationText(work.median),
    `${asked}${waits.declined === 0 ? "" : `, ${waits.declined} no`}`,
    missed
      .slice(0, 3)
      .map(({ field, times }) => `${plain(field)} ${times}`)
      .join(", "),
  ];
}

function rate({ firstPass: { passed, of } }: Pick<StepInsights, "firstPass">): string {
  return of === 0 ? "–" : `${Math.round((100 * passed) / of)} % of ${of}`;
}

function nameOf({ kind }: WorkflowInsights, { step }: StepInsights): string {
  return kind === "session" ? `Phase ${step}` : plain(step);
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
