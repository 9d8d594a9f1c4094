import type { StepStatus } from "../../engine/run-status.ts";
import { paint } from "../terminal/print.ts";
import type { BotStatus } from "./status-data.ts";
import { behaviorTitle, stateMarks } from "./status-lines.ts";

/** Formats the map as a table of behaviors by steps, or returns undefined if steps differ or it does not fit. */
export function statusTable({ workflows, focus }: BotStatus, width: number): string[] | undefined {
  const [first] = workflows;
  if (first === undefined) return undefined;
  const columns = first.steps.map(({ step }) => step);
  const isUniform = workflows.every(({ steps }) => steps.map(({ step }) => step).join() === columns.join());
  const titles = workflows.map((workflow) => behaviorTitle(workflow, focus?.workflow));
  const left = Math.max(...titles.map(visibleLength)) + 2;
  const widths = columns.map((name) => Math.max(name.length, narrowest) + 2);
  if (!isUniform || left + widths.reduce((sum, cell) => sum + cell, 0) > width) return undefined;
  return [
    paint(
      "dim",
      `${" ".repeat(left)}${columns.map((name, column) => name.padEnd(widths[column] ?? 0)).join("")}`.trimEnd(),
    ),
    ...workflows.map(({ steps }, row) => {
      const title = titles[row] ?? "";
      const cells = steps.map((step, column) => paintedCell(step, widths[column] ?? 0)).join("");
      return `${title}${" ".repeat(left - visibleLength(title))}${cells}`.trimEnd();
    }),
  ];
}

/** A mark and a time. */
const narrowest = "✓ 01-31 10:00".length;

function paintedCell({ state, since }: StepStatus, width: number): string {
  const when = since === undefined ? "" : ` ${since.slice(5, 16).replace("T", " ")}`;
  const text = `${stateMarks[state]}${when}`.padEnd(width);
  if (state === "started") return paint("green", text);
  return state === "waiting" ? paint("dim", text) : text;
}

function visibleLength(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are made of them
  return text.replace(/\u001b\[\d+m/g, "").length;
}
