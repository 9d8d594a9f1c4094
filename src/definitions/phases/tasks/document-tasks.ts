import type { List, ListItem, RootContent } from "mdast";
import { type TaskTitle, taskTitle } from "../markdown/headings.ts";
import { joinLines, linesOf } from "../markdown/lines.ts";
import { textOf } from "../markdown/sections.ts";
import type { PhaseTask } from "../phased-workflow.ts";

/** A task that stands in a phase's document, and where. */
export type DocumentTask = PhaseTask & {
  /** The phase that its number names: 1 of `Task 1.2`. */
  readonly phase?: number;
  /** Its heading or first line, whole. */
  readonly title: string;
  readonly line: number;
  readonly nodes: readonly RootContent[];
  readonly isBox: boolean;
};

/** Finds the tasks of a phase in its document: headings `Task N`, and list items `N.M` or `Task N.M`. */
export function tasksIn(nodes: readonly RootContent[], text: string, source: string): DocumentTask[] {
  const heads = nodes.flatMap((node, index) => {
    const title = node.type === "heading" ? taskTitle(textOf(node)) : undefined;
    return title === undefined || node.type !== "heading"
      ? []
      : [{ title, index, depth: node.depth, said: textOf(node) }];
  });
  const headed = heads.map(({ title, index, depth, said }) => {
    let end = index + 1;
    for (
      let node = nodes[end];
      node !== undefined && !(node.type === "heading" && node.depth <= depth);
      node = nodes[end]
    )
      end += 1;
    return task(title, said, nodes.slice(index, end), text, source, false);
  });
  return headed.length > 0 ? headed : nodes.flatMap((node) => (node.type === "list" ? listed(node, text, source) : []));
}

function listed(list: List, text: string, source: string): DocumentTask[] {
  return list.children.flatMap((item: ListItem) => {
    const [first] = item.children;
    const said = first?.type === "paragraph" ? joinLines(linesOf(first.children, 1)).text : "";
    const title = taskTitle(said);
    if (title !== undefined) return [task(title, said, [item], text, source, typeof item.checked === "boolean")];
    // Tasks may be grouped: "- Setup" with the boxes below it.
    return item.children.flatMap((node) => (node.type === "list" ? listed(node, text, source) : []));
  });
}

function task(
  title: TaskTitle,
  said: string,
  nodes: readonly RootContent[],
  text: string,
  source: string,
  isBox: boolean,
): DocumentTask {
  const from = nodes[0]?.position?.start.offset ?? 0;
  const to = nodes.at(-1)?.position?.end.offset ?? from;
  return {
    ...(title.phase === undefined ? {} : { phase: title.phase }),
    title: said,
    number: title.number,
    name: title.name,
    content: text.slice(from, to).trimEnd(),
    source,
    line: nodes[0]?.position?.start.line ?? 1,
    nodes,
    isBox,
  };
}
