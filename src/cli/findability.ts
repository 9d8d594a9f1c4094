import { askStandards } from "../compose-check.ts";
import { paint, print, printJson } from "./print.ts";

/** Prints how well the standards are found by the questions that they list; where it is strict, a question whose document is not among the first three makes the command fail. */
export async function reportFindability(definitions: string, json: boolean, isStrict: boolean): Promise<void> {
  const report = await askStandards(definitions);
  if (isStrict && report.firstThree < report.asked) process.exitCode = 1;
  if (json) {
    printJson({ ...report, missed: report.missed.map((one) => ({ ...one, place: one.place ?? null })) });
    return;
  }
  print(...linesOf(report));
}

type Report = Awaited<ReturnType<typeof askStandards>>;

function linesOf({ documents, withoutQuestions, asked, first, firstThree, missed }: Report): string[] {
  const silent = `${withoutQuestions} of ${documents} standards list${withoutQuestions === 1 ? "s" : ""} no questions`;
  if (asked === 0)
    return [
      documents === 0 ? "There are no standards to ask." : `Nothing to ask: ${silent}.`,
      ...howTo(withoutQuestions),
    ];
  return [
    ...table([
      ["asked", String(asked), ""],
      ["found first", String(first), percent(first, asked)],
      ["among the first three", String(firstThree), percent(firstThree, asked)],
      ["not among the first three", String(asked - firstThree), percent(asked - firstThree, asked)],
    ]),
    ...(withoutQuestions === 0 ? [] : [`${silent}.`]),
    ...missed.flatMap((one) => ["", ...missedLines(one)]),
  ];
}

function missedLines({ file, line, question, place, found }: Report["missed"][number]): string[] {
  const where = place === undefined ? paint("red", "not found") : paint("yellow", `in place ${place}`);
  const instead = place === undefined ? found : found.slice(0, place - 1);
  return [
    `${paint("bold", plain(`${file}:${line}`))}  ${where}  ${plain(question)}`,
    ...instead.map((other) => paint("dim", `  found instead: ${plain(other)}`)),
    ...(instead.length === 0 ? [paint("dim", "  nothing holds a word of it")] : []),
  ];
}

function table(rows: readonly (readonly [string, string, string])[]): string[] {
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows.map(([name, count, share]) =>
    `${name.padEnd(widths[0] ?? 0)}  ${count.padStart(widths[1] ?? 0)}  ${share.padStart(widths[2] ?? 0)}`.trimEnd(),
  );
}

function howTo(withoutQuestions: number): string[] {
  return withoutQuestions === 0 ? [] : ["List them in the front matter, under questions: docs/standards.md shows how."];
}

function percent(count: number, all: number): string {
  return `${((count / all) * 100).toFixed(1)}%`;
}

/** A text in one line: what stands in a file does not move a terminal's cursor. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\s]+/gu, " ");
}
