import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Prints lines to stdout. */
export function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** Prints data for scripts. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Colours a text, on a terminal only. */
export function paint(style: Style, text: string): string {
  const wanted = process.stdout.isTTY && process.env.NO_COLOR === undefined;
  return wanted ? styleText(style, text) : text;
}
