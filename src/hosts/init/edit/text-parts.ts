import { defined } from "../../../kit/defined.ts";
import { isSameData } from "../../../kit/same-data.ts";
import { layoutOf } from "../../../kit/text-layout.ts";
import type { BlockPart, FilePart } from "../../host.ts";
import { type EditResult, type EntryFacts, keptHookReason } from "./edit-result.ts";
import { isOwnLine } from "./own-line.ts";

/** Adds our block at the end of a text file; an existing block only changes in its command and in lines of another setting. */
export function addToText(text: string, part: FilePart, circumstances: EntryFacts): EditResult {
  if (part.kind !== "block") return { problem: "a text file has no settings" };
  if (part.lines.length === 0) return removeFromText(text, part);
  const lines = linesOf(text);
  const { eol } = layoutOf(text);
  const [from, to] = [lines.indexOf(part.marks.begin), lines.indexOf(part.marks.end)];
  if (from !== -1 && to > from) {
    const block = lines.slice(from + 1, to);
    const { now, kept } = withCommand(exchanged(block, part), part, circumstances);
    return {
      text: lines.toSpliced(from + 1, block.length, ...now).join(eol),
      ...defined({ kept }),
    };
  }
  if (from !== -1 || part.lines.every((line) => lines.includes(line))) return { text };
  const block = [part.marks.begin, ...part.lines, part.marks.end, ""].join(eol);
  if (text === "") return { text: block };
  return { text: `${text}${text.endsWith("\n") ? "" : eol}${eol}${block}` };
}

function exchanged(block: readonly string[], { lines, not = [], earlier = [] }: BlockPart): readonly string[] {
  if ([not, ...earlier].some((known) => isSameData(block, known))) return lines;
  const others = not.filter((line) => !lines.includes(line));
  if (!block.some((line) => others.includes(line))) return block;
  const added = lines.filter((line) => !not.includes(line) && !block.includes(line));
  return [...block.filter((line) => !others.includes(line)), ...added];
}

function withCommand(
  block: readonly string[],
  { lines, commandLine }: BlockPart,
  circumstances: EntryFacts,
): { readonly now: readonly string[]; readonly kept?: string } {
  if (commandLine === undefined) return { now: block };
  const isCommand = (line: string): boolean => line.startsWith(commandLine);
  const [status, wanted] = [block, lines].map((all) => all.find(isCommand));
  if (status === undefined || wanted === undefined || status === wanted) return { now: block };
  const words = [...status.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = ""]) => word);
  if (isOwnLine(words.join(" "), circumstances)) return { now: block, kept: keptHookReason };
  return { now: block.map((line) => (isCommand(line) ? wanted : line)) };
}

/** Removes our block with the blank line before it. */
export function removeFromText(text: string, part: FilePart): EditResult {
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
