import type { Code, ListItem, Paragraph, RootContent, Table } from "mdast";
import type { BlockContext } from "./block-context.ts";
import { kindOfWords } from "./context-kind.ts";
import { htmlLabel } from "./html.ts";
import { endOfEntry, isApprovalLabel, parseBoxSign, splitParagraph } from "./list-lines.ts";
import { taskTitle } from "./phase-headings.ts";
import { tableParts } from "./table-rows.ts";
import { hasWords, isStruckThrough, joinLines, type Line, linesOf } from "./text-lines.ts";

/** A block of a document with its context; unfenced code, comments and images are left out. */
export type Block =
  | { readonly kind: "heading"; readonly line: Line; readonly depth: number; readonly place: BlockContext }
  | { readonly kind: "text"; readonly lines: readonly Line[]; readonly place: BlockContext }
  | { readonly kind: "item"; readonly lines: readonly Line[]; readonly box: boolean; readonly place: BlockContext }
  | { readonly kind: "table"; readonly table: Table; readonly place: BlockContext }
  | { readonly kind: "code"; readonly code: Code; readonly place: BlockContext }
  | { readonly kind: "html"; readonly text: string; readonly line: number; readonly place: BlockContext };

/** Turns a document, or a part of it, into a list of blocks. */
export function blocksOf(nodes: readonly RootContent[]): Block[] {
  const blocks: Block[] = [];
  collectBlocks(nodes, { headings: [], label: "", intro: "", inTask: false, depth: 0 }, blocks);
  return blocks;
}

function collectBlocks(nodes: readonly RootContent[], start: BlockContext, blocks: Block[]): void {
  let place = start;
  const open: { readonly depth: number; readonly text: string }[] = [];
  for (const node of nodes) {
    const line = node.position?.start.line ?? 1;
    if (node.type === "heading") {
      const heading = joinLines(linesOf(node.children, line));
      while ((open.at(-1)?.depth ?? 0) >= node.depth) open.pop();
      open.push({ depth: node.depth, text: heading.text });
      const inTask = start.inTask || open.some(({ text }) => taskTitle(text) !== undefined);
      const headings = [...start.headings, ...open.map(({ text }) => text)];
      place = { headings, label: "", intro: "", inTask, depth: start.depth };
      blocks.push({ kind: "heading", line: { ...heading, line }, depth: node.depth, place });
    } else if (node.type === "paragraph") {
      place = collectText(linesOf(node.children, line), place, blocks);
    } else if (node.type === "list") for (const item of node.children) place = collectItem(item, place, blocks);
    else if (node.type === "listItem") place = collectItem(node, place, blocks);
    else if (node.type === "table") {
      const { table, after } = tableParts(node);
      blocks.push({ kind: "table", table, place });
      if (after.length > 0) place = collectText(after, place, blocks);
    } else if (node.type === "html") {
      blocks.push({ kind: "html", text: node.value, line, place });
      const label = htmlLabel(node.value);
      if (label !== undefined) place = { ...place, label: label === "" ? start.label : label, intro: label };
    } else if (node.type === "code") blocks.push({ kind: "code", code: node, place });
    else if (node.type === "blockquote") collectBlocks(withoutAlert(node.children), place, blocks);
    else if (node.type === "thematicBreak") place = { ...place, label: start.label, intro: start.intro };
  }
}

/** The content of a quotation, without an alert marker such as `[!IMPORTANT]`. */
function withoutAlert(nodes: readonly RootContent[]): readonly RootContent[] {
  const [first, ...rest] = nodes;
  const [sign, ...more] = first?.type === "paragraph" ? first.children : [];
  if (first?.type !== "paragraph" || sign?.type !== "text") return nodes;
  const value = sign.value.replace(/^\[!\p{L}+\][ \t]*(?=\n|$)/u, "");
  return value === sign.value ? nodes : [{ ...first, children: [{ ...sign, value }, ...more] }, ...rest];
}

/** Adds the blocks of a paragraph, which may be a list by its signs, and returns the context of what follows. */
function collectText(lines: readonly Line[], start: BlockContext, blocks: Block[]): BlockContext {
  let place = start;
  for (const { kind, box, lines: part } of splitParagraph(lines)) {
    if (kind === "item") blocks.push({ kind, lines: part, box, place });
    else {
      blocks.push({ kind, lines: part, place });
      place = leadIn(part, place);
    }
  }
  return place;
}

/** Adds the blocks of an item, and returns the context of what follows. */
function collectItem(item: ListItem, place: BlockContext, blocks: Block[]): BlockContext {
  const [first, ...rest] = item.children;
  if (first?.type !== "paragraph") {
    collectBlocks(item.children, place, blocks);
    return place;
  }
  const { lines, box, after } = entryOf(item, first);
  const isLink = !box && first.children.length === 1 && first.children[0]?.type === "link";
  if (isLink) blocks.push({ kind: "text", lines, place });
  else if (!isStruckThrough(joinLines(lines).text)) blocks.push({ kind: "item", lines, box, place });
  const inTask = place.inTask || taskTitle(joinLines(lines).text) !== undefined;
  collectBlocks(rest, leadIn(lines, { ...place, intro: "", inTask, depth: place.depth + 1 }), blocks);
  // A label right after an item, without a blank line, belongs to what follows.
  return after.length === 0 ? place : collectText(after, place, blocks);
}

/** An item's own text, whether it is a box, and the lines that only sit below it. */
function entryOf(
  item: ListItem,
  first: Paragraph,
): { readonly lines: readonly Line[]; readonly box: boolean; readonly after: readonly Line[] } {
  const all = linesOf(first.children, first.position?.start.line ?? 1);
  const last = all.at(-1);
  const isLabel = last !== undefined && all.length > 1 && item.children.length === 1 && boldLabelOf(last) !== undefined;
  const end = Math.min(endOfEntry(item, all), isLabel ? all.length - 1 : all.length);
  const lines = all.slice(0, end);
  const [signed] = lines.slice(0, 1).map(parseBoxSign);
  const box = typeof item.checked === "boolean" || signed?.box === true;
  return { lines: signed === undefined ? lines : [signed.line, ...lines.slice(1)], box, after: all.slice(end) };
}

/** The context that a paragraph's last line sets for what follows. */
function leadIn(lines: readonly Line[], place: BlockContext): BlockContext {
  const last = lines.at(-1);
  if (last === undefined) return place;
  const label = boldLabelOf(last);
  // "Human approval required" is complete in itself; the text below is not part of it.
  if (label !== undefined && isApprovalLabel(label)) return { ...place, intro: "" };
  if (label !== undefined) return { ...place, label, intro: label };
  return { ...place, intro: [":", "："].includes(last.text.trimEnd().slice(-1)) || isTitle(lines) ? last.text : "" };
}

/** True for a title line such as "Acceptance criteria". */
function isTitle([first, ...more]: readonly Line[]): boolean {
  const words = first?.text.trim() ?? "";
  return (
    more.length === 0 &&
    words.split(" ").length <= 4 &&
    !".!?,;".includes(words.slice(-1) || ".") &&
    ["gate", "evidence"].includes(kindOfWords(words))
  );
}

/** The label of a line that is all bold: `**Evidence Required**:`, `**Acceptance Criteria:**`. */
function boldLabelOf({ text, marks }: Line): string | undefined {
  const strong = marks.filter(({ kind }) => kind === "strong");
  const [first] = strong;
  if (first === undefined || strong.length > 1) return undefined;
  const around = text.slice(0, first.start) + text.slice(first.end);
  return hasWords(around.replace(/\([^)]*\)/g, "")) ? undefined : first.text;
}
