import { stripVTControlCharacters } from "node:util";

/** How wide and high what is printed may be; without a terminal nothing bounds it. */
export type Room = { readonly width: number; readonly height: number };

/** The room on this terminal. */
export function roomHere(): Room {
  const { isTTY, columns, rows } = process.stdout;
  if (!isTTY) return { width: Number.POSITIVE_INFINITY, height: Number.POSITIVE_INFINITY };
  return { width: Math.max(columns ?? 100, 40), height: Math.max(rows ?? 30, 10) };
}

/** A text in lines that fit, broken at words; every line after the first stands further in. Colours take no room. */
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
    // A word that is longer than a line is cut where the line ends.
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

/** How many columns a text takes. */
export function visibleLength(text: string): number {
  return stripVTControlCharacters(text).length;
}

/** A text cut to so many columns. */
export function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(1, width - 1))}…`;
}
