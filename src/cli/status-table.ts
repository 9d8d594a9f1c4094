import type { StepStanding } from "../engine/standing.ts";
import { paint } from "./print.ts";
import type { BotStanding } from "./status-data.ts";
import { behaviorTitle, marks } from "./status-lines.ts";

/** The map as a table, behaviors down and steps across; nothing where they differ in their steps or the terminal is too narrow. */
export function statusTable({ workflows, focus }: BotStanding, width: number): string[] | undefined {
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

function paintedCell({ state, since }: StepStanding, width: number): string {
  const when = since === undefined ? "" : ` ${since.slice(5, 16).replace("T", " ")}`;
  const text = `${marks[state]}${when}`.padEnd(width);
  if (state === "started") return paint("green", text);
  return state === "waiting" ? paint("dim", text) : text;
}

function visibleLength(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are made of them
  return text.replace(/\u001b\[\d+m/g, "").length;
}
