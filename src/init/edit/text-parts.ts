import type { Part } from "../../hosts/host.ts";
import type { Edited } from "./edited.ts";
import { layoutOf } from "./layout.ts";

/** Adds our block at the end of a text file; a block that is there stays as it is, whatever was changed in it. */
export function addToText(text: string, part: Part): Edited {
  if (part.kind !== "block") return { problem: "a text file has no settings" };
  const lines = linesOf(text);
  const isThere = lines.includes(part.marks.begin) || part.lines.every((line) => lines.includes(line));
  if (isThere) return { text };
  const { eol } = layoutOf(text);
  const block = [part.marks.begin, ...part.lines, part.marks.end, ""].join(eol);
  if (text === "") return { text: block };
  return { text: `${text}${text.endsWith("\n") ? "" : eol}${eol}${block}` };
}

/** Takes our block out, with the blank line before it. */
export function removeFromText(text: string, part: Part): Edited {
  if (part.kind !== "block") return { problem: "a text file has no settings" };
  const lines = linesOf(text);
  const begin = lines.indexOf(part.marks.begin);
  const end = lines.indexOf(part.marks.end);
  if (begin === -1 || end < begin) return { text };
  const { eol } = layoutOf(text);
  const from = begin > 0 && lines[begin - 1] === "" ? begin - 1 : begin;
  return { text: lines.toSpliced(from, end - from + 1).join(eol) };
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}
