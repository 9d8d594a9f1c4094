import type { ListItem, RootContent } from "mdast";
import type { JsonObject } from "../../kit/json.ts";
import type { MarkdownDocument } from "../phases/markdown/markdown.ts";
import { dependsLine, digestTextOf, type FoundTask, type FoundTasks } from "./found-task.ts";
import { boxed, isTNumber, numbered, unreadLines } from "./task-lines.ts";

/** A list item with a box, and the boxes below it. */
export type Box = {
  readonly id: string | undefined;
  readonly title: string;
  readonly text: string;
  readonly isTicked: boolean;
  readonly marks: readonly string[];
  readonly line: number;
  /** The number of headings before it. */
  readonly block: number;
  readonly below: readonly Box[];
};

/** Reads a list whose tasks have boxes: of spec-kit, OpenSpec or Kiro, or without numbers. */
export function boxedTasks(document: MarkdownDocument): FoundTasks {
  const boxes = boxesIn(document.tree.children, document.text);
  const all = boxes.flatMap(withBelow);
  const numbers = all.flatMap(({ id }) => id ?? []);
  const isParent = ({ id, below }: Box): boolean =>
    id === undefined ? below.length > 0 : !isTNumber(id) && numbers.some((one) => one.startsWith(`${id}.`));
  const tasks = boxes.flatMap((box) => tasksOf(box, isParent, all));
  const parents = new Map(
    [...new Set([...all.filter(isParent).flatMap(({ id }) => id ?? []), ...numbers.flatMap(prefixesOf)])].map((id) => [
      id,
      tasks.filter((one) => one.id.startsWith(`${id}.`)).map((one) => one.id),
    ]),
  );
  return { tasks, parents, unread: unreadLines(document.text, new Set([...numbers, ...parents.keys()])) };
}

/** The numbers above a number: `1` and `1.2` of `1.2.3`. */
function prefixesOf(id: string): readonly string[] {
  const parts = id.split(".");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("."));
}

function withBelow(box: Box): readonly Box[] {
  return [box, ...box.below.flatMap(withBelow)];
}

/** The tasks of a box: itself, or the boxes below it. Boxes without a number below a numbered task are its steps. */
function tasksOf(box: Box, isParent: (box: Box) => boolean, all: readonly Box[]): readonly FoundTask[] {
  const counted =
    box.id === undefined ? box.below : box.below.filter((one) => withBelow(one).some(({ id }) => id !== undefined));
  const below = counted.flatMap((one) => tasksOf(one, isParent, all));
  return isParent(box) ? below : [asTask(box, all), ...below];
}

function asTask({ id, title, text, isTicked, marks, line, block }: Box, all: readonly Box[]): FoundTask {
  const named = [...text.matchAll(dependsLine)].flatMap(([, list = ""]) =>
    list.split(/[,;]|\band\b/).flatMap((one) => /T?\d+(?:\.\d+)*/i.exec(one)?.[0] ?? []),
  );
  const story = marks.find((mark) => mark !== "P");
  const group =
    id === undefined ? undefined : all.find((box) => box.id !== undefined && prefixesOf(id).at(-1) === box.id);
  const values: JsonObject = {
    ...(story === undefined ? {} : { story }),
    ...(group === undefined ? {} : { group: group.title }),
  };
  const hasNames = dependsLine.test(text);
  dependsLine.lastIndex = 0;
  return {
    id: id ?? wordsOf(title),
    isNumbered: id !== undefined,
    title,
    text,
    digestText: digestTextOf(text),
    isTicked,
    values,
    line,
    block,
    isParallel: marks.includes("P"),
    ...(hasNames ? { named } : {}),
  };
}

/** An id made of the first words of a task without a number. */
function wordsOf(title: string): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["task"];
  return words.join("-").slice(0, 40).replace(/-+$/, "");
}

/** Finds the boxes among some blocks, in lists and quotes. */
export function boxesIn(nodes: readonly RootContent[], text: string): Box[] {
  let block = 0;
  const among = (list: readonly RootContent[]): Box[] =>
    list.flatMap((node): Box[] => {
      if (node.type === "heading") block += 1;
      if (node.type === "blockquote") return among(node.children);
      if (node.type !== "list") return [];
      return node.children.flatMap((item): Box[] => {
        const at = block;
        const below = among(item.children);
        return boxOf(item, text, at, below) ?? below;
      });
    });
  return among(nodes);
}

function boxOf({ position }: ListItem, text: string, block: number, below: readonly Box[]): [Box] | undefined {
  const [start = 0, end = 0] = [position?.start.offset, position?.end.offset];
  const whole = text.slice(start, end).trimEnd();
  const [, mark, first = ""] = boxed.exec(whole) ?? [];
  if (mark === undefined) return undefined;
  const [, id, rest = first] = numbered.exec(first) ?? [];
  const marks: string[] = [];
  const title = rest.replace(/^(?:\[[^\]\n]{1,20}\](?!\()\s*)+/, (all) => {
    for (const [, one = ""] of all.matchAll(/\[([^\]]*)\]/g)) marks.push(one.trim());
    return "";
  });
  const plain = title.replaceAll(/\*\*|`/g, "").trim();
  const line = position?.start.line ?? 1;
  const number = id === undefined || !isTNumber(id) ? id : id.toUpperCase();
  return [
    { id: number, title: plain || first.trim(), text: whole, isTicked: /x/i.test(mark), marks, line, block, below },
  ];
}
