import type { List, RootContent } from "mdast";
import { taskTitle } from "../markdown/phase-headings.ts";
import { headedParts } from "../markdown/sections.ts";
import { plainText } from "../markdown/text-lines.ts";
import type { PhaseTask } from "../phased-workflow.ts";

/** A task in a phase's document, with its location. */
export type DocumentTask = PhaseTask & {
  /** The phase in its number: 1 of `Task 1.2`. */
  readonly phase?: number;
  /** Its whole heading or first line. */
  readonly title: string;
  readonly line: number;
  readonly nodes: readonly RootContent[];
  readonly isBox: boolean;
};

/** Finds the tasks of a phase in its document: headings `Task N`, and list items `N.M` or `Task N.M`. */
export function tasksIn(nodes: readonly RootContent[], text: string, source: string): DocumentTask[] {
  const headed = headedParts(nodes).flatMap(
    ({ words, index, end }) => task(words, nodes.slice(index, end), text, source) ?? [],
  );
  if (headed.length > 0) return headed;
  const found = nodes.flatMap((node) => (node.type === "list" ? listed(node, text, source) : []));
  const boxes = found.filter(({ isBox }) => isBox);
  // Beside boxes, an item that begins with the number of another phase speaks of its tasks: "- 2.2 can be done after 1.1".
  const isOwn = ({ isBox, phase }: DocumentTask): boolean =>
    isBox || phase === undefined || boxes.length === 0 || boxes.some((box) => box.phase === phase);
  return found.filter(isOwn);
}

function listed(list: List, text: string, source: string): DocumentTask[] {
  return list.children.flatMap((item) => {
    const [first] = item.children;
    const said = first?.type === "paragraph" ? plainText(first) : "";
    // Tasks may be grouped: "- Setup" with the boxes below it.
    const below = item.children.flatMap((node) => (node.type === "list" ? listed(node, text, source) : []));
    return task(said, [item], text, source) ?? below;
  });
}

function task(title: string, nodes: readonly RootContent[], text: string, source: string): DocumentTask | undefined {
  const numbered = taskTitle(title);
  const [first] = nodes;
  if (numbered === undefined) return undefined;
  const content = text.slice(first?.position?.start.offset, nodes.at(-1)?.position?.end.offset).trimEnd();
  const isBox = first?.type === "listItem" && typeof first.checked === "boolean";
  return { ...numbered, title, content, source, line: first?.position?.start.line ?? 1, nodes, isBox };
}
