import { askStandards } from "../../app/check-project.ts";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { oneLine, paint, print, printJson } from "../terminal/print.ts";

/** Prints how well the standards are found by their own questions; in strict mode a miss sets exit code 1. */
export async function reportFindability(
  definitions: DefinitionSnapshot,
  json: boolean,
  isStrict: boolean,
): Promise<void> {
  const report = await askStandards(definitions);
  if (isStrict && report.firstThree < report.asked) process.exitCode = 1;
  if (json) {
    printJson({ ...report, missed: report.missed.map((one) => ({ ...one, place: one.place ?? null })) });
    return;
  }
  print(...reportLines(report));
}

type Report = Awaited<ReturnType<typeof askStandards>>;

function reportLines({ documents, withoutQuestions, asked, first, firstThree, missed }: Report): string[] {
  const silent = `${withoutQuestions} of ${documents} standards list${withoutQuestions === 1 ? "s" : ""} no questions`;
  if (asked === 0)
    return [
      documents === 0 ? "There are no standards to search." : `Nothing to search for: ${silent}.`,
      ...questionsHint(withoutQuestions),
    ];
  return [
    ...table([
      ["questions", String(asked), ""],
      ["found first", String(first), percent(first, asked)],
      ["among the first three", String(firstThree), percent(firstThree, asked)],
      ["not among the first three", String(asked - firstThree), percent(asked - firstThree, asked)],
    ]),
    ...(withoutQuestions === 0 ? [] : [`${silent}.`]),
    ...missed.flatMap((one) => ["", ...missedLines(one)]),
  ];
}

function missedLines({ file, line, question, place, found }: Report["missed"][number]): string[] {
  const where = place === undefined ? paint("red", "not found") : paint("yellow", `ranked ${place}`);
  const instead = place === undefined ? found : found.slice(0, place - 1);
  return [
    `${paint("bold", oneLine(`${file}:${line}`))}  ${where}  ${oneLine(question)}`,
    ...instead.map((other) => paint("dim", `  found instead: ${oneLine(other)}`)),
    ...(instead.length === 0 ? [paint("dim", "  no document contains any of its words")] : []),
  ];
}

function table(rows: readonly (readonly [string, string, string])[]): string[] {
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows.map(([name, count, share]) =>
    `${name.padEnd(widths[0] ?? 0)}  ${count.padStart(widths[1] ?? 0)}  ${share.padStart(widths[2] ?? 0)}`.trimEnd(),
  );
}

function questionsHint(withoutQuestions: number): string[] {
  return withoutQuestions === 0 ? [] : ["Add them to the front matter under questions (see docs/standards.md)."];
}

function percent(count: number, all: number): string {
  return `${((count / all) * 100).toFixed(1)}%`;
}
