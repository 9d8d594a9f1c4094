import { stripVTControlCharacters } from "node:util";

/** The width and height available for output, infinite without a terminal. */
export type TerminalSize = { readonly width: number; readonly height: number };

/** Measures this terminal. */
export function terminalSize(): TerminalSize {
  const { isTTY, columns, rows } = process.stdout;
  if (!isTTY) return { width: Number.POSITIVE_INFINITY, height: Number.POSITIVE_INFINITY };
  return { width: Math.max(columns ?? 100, 40), height: Math.max(rows ?? 30, 10) };
}

/** Breaks a text into lines at words, indenting all but the first; colours take no width. */
export function wrap(text: string, width: number, indent = 0): string[] {
  if (visibleLength(text) <= width) return [text];
  const lines: string[] = [];
  let line = "";
  const room = (): number => (lines.length === 0 ? width : width - indent);
  const end = (): void => {
    lines.push(lines.length === 0 ? line : `${" ".repeat(indent)}${line.trimStart()}`);
    line = "";
  };
  for (const part of text.split(/(?<=\S)(?=\s)/)) {
    const isFirst = line === "" && lines.length > 0;
    const piece = isFirst ? part.trimStart() : part;
    if (line !== "" && visibleLength(line + piece) > room()) end();
    let rest = line === "" && lines.length > 0 ? piece.trimStart() : piece;
    // A word longer than a line is cut at its end.
    while (visibleLength(rest) > room() && rest === stripVTControlCharacters(rest)) {
      line = rest.slice(0, room());
      rest = rest.slice(line.length);
      end();
    }
    line += rest;
  }
  if (line !== "") end();
  return lines;
}

/** Counts the columns of a text. */
export function visibleLength(text: string): number {
  return stripVTControlCharacters(text).length;
}

/** Cuts a text to a number of columns. */
export function cutToWidth(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(1, width - 1))}…`;
}
