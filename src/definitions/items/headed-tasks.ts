import type { MarkdownDocument } from "../phases/markdown/markdown.ts";
import { headedParts, lineOf } from "../phases/markdown/sections.ts";
import { boxesIn } from "./boxed-tasks.ts";
import { digestTextOf, type FoundTask, type FoundTasks } from "./found-task.ts";
import { unreadLines } from "./task-lines.ts";

/** A heading that begins a task: `Task 1: Name`, `Task 2.1 - Name`. */
const taskHeading = /^[^\p{L}\p{N}]*Task\s+#?(\d+(?:\.\d+)*[a-z]?)\s*[:.)–—-]*\s*(.*?)[\s#]*$/iu;

/** Reads a plan whose tasks are headings, each with its steps; undefined if it has none. */
export function headedTasks({ tree, text }: MarkdownDocument): FoundTasks | undefined {
  const nodes = tree.children;
  const parts = headedParts(nodes).flatMap(({ index, end, depth, words }) => {
    const [, number, name = ""] = taskHeading.exec(words) ?? [];
    return number === undefined ? [] : [{ index, end, depth, number, name }];
  });
  if (parts.length === 0) return undefined;
  const leaves = parts.filter(({ index, end }) => !parts.some((other) => other.index > index && other.index < end));
  const tasks = leaves.map(({ index, end, number, name }): FoundTask => {
    const own = nodes.slice(index, end);
    const whole = text.slice(own[0]?.position?.start.offset, own.at(-1)?.position?.end.offset).trimEnd();
    const boxes = boxesIn(own, text);
    const isTicked = boxes.length > 0 && boxes.every((box) => box.isTicked);
    const line = lineOf(own[0]);
    return {
      id: number,
      isNumbered: true,
      title: name || `Task ${number}`,
      text: whole,
      digestText: digestTextOf(whole),
      isTicked,
      values: {},
      line,
      block: 0,
    };
  });
  const parents = new Map(
    parts
      .filter((part) => !leaves.includes(part))
      .map(({ number, index, end }) => [
        number,
        leaves.filter((one) => one.index > index && one.index < end).map((one) => one.number),
      ]),
  );
  const isInside = (line: number): boolean =>
    parts.some(
      ({ index, end }) => line >= lineOf(nodes[index]) && (nodes[end] === undefined || line < lineOf(nodes[end])),
    );
  const unread = unreadLines(text, new Set(parts.map(({ number }) => number)), isInside);
  return { tasks, parents, unread };
}
