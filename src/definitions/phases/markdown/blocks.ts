import type { Code, ListItem, Paragraph, RootContent, Table } from "mdast";
import { taskTitle } from "./headings.ts";
import { htmlLabel } from "./html.ts";
import { hasWords, isStruck, joinLines, type Line, linesOf } from "./lines.ts";
import { endOfEntry, partsOf, speaksOfApproval, withoutSign } from "./list-lines.ts";
import { kindOfWords } from "./places.ts";
import { tableParts } from "./table-rows.ts";

/** Where a block stands: under which headings, bold labels and lead-ins. */
export type Place = {
  /** From the outermost to the nearest. */
  readonly headings: readonly string[];
  /** A bold line that works as a heading, until the next one. */
  readonly label: string;
  /** A line right before a list, table or code that leads over to it. */
  readonly intro: string;
  /** It is part of a task. */
  readonly inTask: boolean;
  /** In how many items of lists it stands. */
  readonly depth: number;
};

/** What a document is made of, in order, each with its place. Code that is not fenced off as data, comments and pictures are left out. */
export type Block =
  | { readonly kind: "heading"; readonly line: Line; readonly depth: number; readonly place: Place }
  | { readonly kind: "text"; readonly lines: readonly Line[]; readonly place: Place }
  | { readonly kind: "item"; readonly lines: readonly Line[]; readonly box: boolean; readonly place: Place }
  | { readonly kind: "table"; readonly table: Table; readonly place: Place }
  | { readonly kind: "code"; readonly code: Code; readonly place: Place }
  | { readonly kind: "html"; readonly text: string; readonly line: number; readonly place: Place };

/** Lays a document, or a part of it, out as a list of blocks. */
export function blocksOf(nodes: readonly RootContent[]): Block[] {
  const blocks: Block[] = [];
  layOut(nodes, { headings: [], label: "", intro: "", inTask: false, depth: 0 }, blocks);
  return blocks;
}

function layOut(nodes: readonly RootContent[], start: Place, blocks: Block[]): void {
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
      place = layOutText(linesOf(node.children, line), place, blocks);
    } else if (node.type === "list") for (const item of node.children) place = layOutItem(item, place, blocks);
    else if (node.type === "listItem") place = layOutItem(node, place, blocks);
    else if (node.type === "table") {
      const { table, after } = tableParts(node);
      blocks.push({ kind: "table", table, place });
      if (after.length > 0) place = layOutText(after, place, blocks);
    } else if (node.type === "html") {
      blocks.push({ kind: "html", text: node.value, line, place });
      const label = htmlLabel(node.value);
      if (label !== undefined) place = { ...place, label: label === "" ? start.label : label, intro: label };
    } else if (node.type === "code") blocks.push({ kind: "code", code: node, place });
    else if (node.type === "blockquote") layOut(withoutAlert(node.children), place, blocks);
    else if (node.type === "thematicBreak") place = { ...place, label: start.label, intro: start.intro };
  }
}

/** What stands in a quotation, without the sign of an alert: `[!IMPORTANT]` in its first line. */
function withoutAlert(nodes: readonly RootContent[]): readonly RootContent[] {
  const [first, ...rest] = nodes;
  const [sign, ...more] = first?.type === "paragraph" ? first.children : [];
  if (first?.type !== "paragraph" || sign?.type !== "text") return nodes;
  const value = sign.value.replace(/^\[!\p{L}+\][ \t]*(?=\n|$)/u, "");
  return value === sign.value ? nodes : [{ ...first, children: [{ ...sign, value }, ...more] }, ...rest];
}

/** Lays a paragraph out, which may be a list by its signs, and gives the place of what follows it. */
function layOutText(lines: readonly Line[], start: Place, blocks: Block[]): Place {
  let place = start;
  for (const { kind, box, lines: part } of partsOf(lines)) {
    if (kind === "item") blocks.push({ kind, lines: part, box, place });
    else {
      blocks.push({ kind, lines: part, place });
      place = leadIn(part, place);
    }
  }
  return place;
}

/** Lays an item out, and gives the place of what follows it. */
function layOutItem(item: ListItem, place: Place, blocks: Block[]): Place {
  const [first, ...rest] = item.children;
  if (first?.type !== "paragraph") {
    layOut(item.children, place, blocks);
    return place;
  }
  const { lines, box, after } = entryOf(item, first);
  const isLink = !box && first.children.length === 1 && first.children[0]?.type === "link";
  if (isLink) blocks.push({ kind: "text", lines, place });
  else if (!isStruck(joinLines(lines).text)) blocks.push({ kind: "item", lines, box, place });
  const inTask = place.inTask || taskTitle(joinLines(lines).text) !== undefined;
  layOut(rest, leadIn(lines, { ...place, intro: "", inTask, depth: place.depth + 1 }), blocks);
  // Right after an item, without a blank line, a label counts as its last line, and is meant for what follows.
  return after.length === 0 ? place : layOutText(after, place, blocks);
}

/** What an item says itself, whether it is a box, and what only stands right below it. */
function entryOf(
  item: ListItem,
  first: Paragraph,
): { readonly lines: readonly Line[]; readonly box: boolean; readonly after: readonly Line[] } {
  const all = linesOf(first.children, first.position?.start.line ?? 1);
  const last = all.at(-1);
  const isLabel = last !== undefined && all.length > 1 && item.children.length === 1 && boldLabelOf(last) !== undefined;
  const end = Math.min(endOfEntry(item, all), isLabel ? all.length - 1 : all.length);
  const lines = all.slice(0, end);
  const [signed] = lines.slice(0, 1).map(withoutSign);
  const box = typeof item.checked === "boolean" || signed?.box === true;
  return { lines: signed === undefined ? lines : [signed.line, ...lines.slice(1)], box, after: all.slice(end) };
}

/** What a paragraph means for what follows it: only its last line can lead over. */
function leadIn(lines: readonly Line[], place: Place): Place {
  const last = lines.at(-1);
  if (last === undefined) return place;
  const label = boldLabelOf(last);
  // "Human approval required" speaks for itself; what stands below it is no part of that.
  if (label !== undefined && speaksOfApproval(label)) return { ...place, intro: "" };
  if (label !== undefined) return { ...place, label, intro: label };
  return { ...place, intro: [":", "："].includes(last.text.trimEnd().slice(-1)) || isTitle(lines) ? last.text : "" };
}

/** "Acceptance criteria" in a line of its own leads over as a heading does. */
function isTitle([first, ...more]: readonly Line[]): boolean {
  const words = first?.text.trim() ?? "";
  return (
    more.length === 0 &&
    words.split(" ").length <= 4 &&
    !".!?,;".includes(words.slice(-1) || ".") &&
    ["gate", "evidence"].includes(kindOfWords(words))
  );
}

/** `**Evidence Required**:` and `**Acceptance Criteria:**`: nothing but bold, and perhaps a sign before it. */
function boldLabelOf({ text, marks }: Line): string | undefined {
  const strong = marks.filter(({ kind }) => kind === "strong");
  const [first] = strong;
  if (first === undefined || strong.length > 1) return undefined;
  const around = text.slice(0, first.start) + text.slice(first.end);
  return hasWords(around.replace(/\([^)]*\)/g, "")) ? undefined : first.text;
}
