import { lineIndexAt, lineStarts } from "../lines.ts";

/** Finds the line where each JSON pointer's value begins: its key's line, or the item's in a list. */
export function linesOfPointers(text: string, pointers: ReadonlySet<string>): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const starts = lineStarts(text);
  const open: { readonly isList: boolean; index: number; key: string }[] = [];
  const note = (at: number): void => {
    const pointer = open.map(({ isList, index, key }) => `/${isList ? index : key}`).join("");
    if (pointers.has(pointer) && !found.has(pointer)) found.set(pointer, lineIndexAt(starts, at) + 1);
  };
  let isKey = false;
  for (let at = 0; at < text.length && found.size < pointers.size; at++) {
    const char = text.charAt(at);
    const inside = open.at(-1);
    if (char === '"') {
      const end = endOfString(text, at);
      if (isKey && inside !== undefined) {
        inside.key = escaped(text.slice(at, end + 1));
        note(at);
        isKey = false;
      } else if (inside?.isList !== false) note(at);
      at = end;
    } else if (char === "{" || char === "[") {
      if (inside?.isList !== false) note(at);
      open.push({ isList: char === "[", index: 0, key: "" });
      isKey = char === "{";
    } else if (char === "}" || char === "]") {
      open.pop();
      isKey = false;
    } else if (char === "," && inside !== undefined) {
      inside.index += 1;
      isKey = !inside.isList;
    } else if (/[-\dtfn]/.test(char)) {
      if (inside?.isList !== false) note(at);
      while (/[-+.\w]/.test(text.charAt(at + 1))) at += 1;
    }
  }
  return found;
}

/** The line where a text stops being JSON, if that can be told. */
export function lineOfParseError(text: string): number | undefined {
  const offset = offsetOfParseError(text);
  return offset === undefined ? undefined : lineIndexAt(lineStarts(text), offset) + 1;
}

const lead = " ".repeat(20);

/** V8 gives the position, quotes the ten characters before the bad one, or reached the end. */
function offsetOfParseError(text: string): number | undefined {
  try {
    JSON.parse(lead + text);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    const position = /at position (\d+)/.exec(message)?.[1];
    if (position !== undefined) return Number(position) - lead.length;
    const quoted = /, \.{3}"([\s\S]*?)"(?:\.{3})? is not valid JSON$/.exec(message)?.[1];
    if (quoted === undefined) return text.trimEnd().length;
    const at = (lead + text).indexOf(quoted);
    return at === (lead + text).lastIndexOf(quoted) ? at + 10 - lead.length : undefined;
  }
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && countBackslashes(text, end) % 2 === 1) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function countBackslashes(text: string, at: number): number {
  let count = 0;
  while (text.charAt(at - count - 1) === "\\") count += 1;
  return count;
}

function escaped(quoted: string): string {
  const key: unknown = JSON.parse(quoted);
  return String(key).replaceAll("~", "~0").replaceAll("/", "~1");
}
