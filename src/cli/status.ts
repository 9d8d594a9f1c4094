import type { Standing } from "../engine/standing.ts";
import { paint, print, printJson } from "./print.ts";
import { statusLines, waitsFor } from "./status-lines.ts";
import { statusTable } from "./status-table.ts";
import { type BotOptions, enginesFor } from "./workplace.ts";

/** Prints where every behavior stands and what comes next: a table on a wide terminal, plain lines elsewhere. */
export async function status(options: BotOptions): Promise<void> {
  const standings = await Promise.all(
    enginesFor(options).map(async ({ engine, warnings }) => {
      const standing = await engine.standing();
      return { ...standing, warnings: [...warnings, ...standing.warnings] };
    }),
  );
  if (options.json) return printJson(standings.length === 1 ? standings[0] : standings);
  for (const [index, standing] of standings.entries()) printStanding(standing, index > 0);
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
