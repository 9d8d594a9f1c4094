import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Prints lines to stdout. */
export function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** Prints data for scripts. */
export function printJson(value: unknown): void {
  print(jsonText(value, 2));
}

/** A text in one line: what stands in a file or came in a call does not move a terminal's cursor. */
export function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ");
}

/** Rows as lines, each column as wide as its widest cell. */
export function inColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows.reduce<number[]>((most, row) => row.map((cell, at) => Math.max(most[at] ?? 0, cell.length)), []);
  return rows.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")}`.trimEnd());
}

/** Colours a text, on a terminal only. */
export function paint(style: Style, text: string): string {
  const wanted = process.stdout.isTTY && process.env.NO_COLOR === undefined;
  return wanted ? styleText(style, text) : text;
}

/** Data as JSON that does nothing to a terminal and reads in the order in which it is written: what is invisible is escaped. */
export function jsonText(value: unknown, indent = 0): string {
  const escaped = (letter: string): string =>
    [...Array(letter.length).keys()].map((at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");
  return JSON.stringify(value, null, indent).replaceAll(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
}
