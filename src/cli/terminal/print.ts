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

/** Puts a text on one line and removes characters that could move a terminal's cursor. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ");
}

/** Replaces characters that a terminal would obey or hide with a visible mark; line breaks and tabs stay. */
export function printable(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\uFFFD");
}

/** Formats rows as lines, padding each column to its widest cell. */
export function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows.reduce<number[]>((most, row) => row.map((cell, at) => Math.max(most[at] ?? 0, cell.length)), []);
  return rows.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")}`.trimEnd());
}

/** Colours a text if stdout is a terminal. */
export function paint(style: Style, text: string): string {
  const wanted = process.stdout.isTTY && process.env.NO_COLOR === undefined;
  return wanted ? styleText(style, text) : text;
}

/** Formats data as JSON with invisible characters escaped, so it is safe to print on a terminal. */
export function jsonText(value: unknown, indent = 0): string {
  const escaped = (letter: string): string =>
    [...Array(letter.length).keys()].map((at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");
  return JSON.stringify(value, null, indent).replaceAll(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
}
