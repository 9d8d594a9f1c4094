import type { ListItem, Paragraph, RootContent } from "mdast";
import { inlineRequest } from "./inline-requests.ts";
import { phaseTitle, taskTitle } from "./phase-headings.ts";
import { asksFor, noPlace, type Place, placeUnder } from "./places.ts";
import { type RowCells, tableRows } from "./tables.ts";
import { linesOf, plainText, type TextLine, withoutMarks } from "./text-lines.ts";

/** One thing a document says, with its place. */
export type Entry = TextLine & {
  readonly kind: "heading" | "label" | "text" | "item" | "box" | "row" | "html";
  readonly place: Place;
  /** True for a list item outside the places that ask. */
  readonly isItem?: true;
  readonly cells?: RowCells;
};

/** Lists what a document, or a part of it, says outside code and examples. */
export function entriesOf(nodes: readonly RootContent[]): Entry[] {
  return walk(nodes, noPlace);
}

function walk(nodes: readonly RootContent[], outer: Place): Entry[] {
  const open: { readonly depth: number; readonly place: Place }[] = [];
  let label: Place | undefined;
  let lead: Place | undefined;
  return nodes
    .flatMap((node, index): Entry[] => {
      const place = lead ?? label ?? open.at(-1)?.place ?? outer;
      const line = node.position?.start.line ?? 1;
      const isLed = lead !== undefined;
      if (node.type !== "html" && node.type !== "paragraph") lead = undefined;
      if (node.type === "heading") {
        while ((open.at(-1)?.depth ?? 0) >= node.depth) open.pop();
        const text = plainText(node);
        const isTitle = taskTitle(text) !== undefined || (index === 0 && phaseTitle(text) !== undefined);
        const above = open.at(-1)?.place ?? outer;
        const here = isTitle ? noPlace : placeUnder(text, above);
        open.push({ depth: node.depth, place: here });
        label = undefined;
        return isTitle ? [] : [{ kind: "heading", text, line, place: here }];
      }
      if (node.type === "paragraph") {
        const under = label ?? open.at(-1)?.place ?? outer;
        const isLeading = nodes[index + 1]?.type === "list";
        const isPlain = place.asks && !hasList(nodes, index, isLed);
        const read = paragraphEntries(node, place, under, { isPlain, isLeading });
        if (read.label !== undefined) label = read.label;
        lead = read.lead ?? (read.label === undefined ? lead : undefined);
        // "Evidence: all of these" and a list.
        if (isLeading && inlineRequest(read.entries.at(-1)?.text ?? "") !== undefined) lead = { ...under, asks: true };
        return read.entries;
      }
      if (node.type === "listItem") return itemEntries(node, place);
      if (node.type === "list") return node.children.flatMap((item) => itemEntries(item, place));
      if (node.type === "table") return tableRows(node, place);
      if (node.type === "blockquote") return walk(node.children, place);
      if (node.type === "html") {
        const summary = /<summary[^>]*>([\s\S]*?)<\/summary>/i.exec(node.value)?.[1];
        if (summary !== undefined) label = placeUnder(summary, place);
        const text = node.value.replaceAll(/<!--[\s\S]*?(?:-->|$)|<[^>]*>/g, " ").trim();
        return text === "" ? [] : [{ kind: "html", text, line, place }];
      }
      return [];
    })
    .filter(({ place, kind }) => !place.isExample || kind === "heading");
}

/** True if the section around a block has a list or table, so that its paragraphs only lead to it. */
function hasList(nodes: readonly RootContent[], at: number, isLed: boolean): boolean {
  const isList = (node: RootContent | undefined): boolean => node?.type === "list" || node?.type === "table";
  if (isLed) return false;
  const isLabelled = (node: RootContent): boolean => node.type === "paragraph" && isBoldLabel(linesOf(node).at(-1));
  const from = nodes.findLastIndex((node, index) => index < at && (node.type === "heading" || isLabelled(node)));
  const isInLabel = nodes[from]?.type === "paragraph";
  const to = nodes.findIndex(
    (node, index) => index > at && (node.type === "heading" || (isInLabel && isLabelled(node))),
  );
  return nodes.slice(from + 1, to === -1 ? nodes.length : to).some(isList);
}

type ParagraphRead = { readonly entries: Entry[]; readonly label?: Place; readonly lead?: Place };

function paragraphEntries(
  node: Paragraph,
  place: Place,
  under: Place,
  { isPlain, isLeading }: { readonly isPlain: boolean; readonly isLeading: boolean },
): ParagraphRead {
  const lines = linesOf(node);
  const [first, ...more] = lines;
  if (first === undefined) return { entries: [] };
  const isSigned = lines.some(({ text }) => signOf(text) !== undefined);
  if (more.length > 0 && (isSigned || (isLabel(first) && asksFor(first.text)))) {
    const isLed = isLabel(first) || (signOf(first.text) === undefined && asksFor(first.text));
    const inner = isLed ? placeUnder(first.text, under) : place;
    return {
      ...(isBoldLabel(first) ? { label: inner } : {}),
      entries: lines.map((line, index): Entry => {
        const sign = signOf(line.text);
        if (sign !== undefined)
          return { ...line, text: line.text.slice(sign.length), kind: kindOfSign(sign), place: inner };
        return { ...line, kind: index === 0 && isLed ? "label" : isSigned ? "text" : "item", place: inner };
      }),
    };
  }
  const last = lines.at(-1) ?? first;
  const sentences = sentencesOf(lines);
  const end = sentences.at(-1) ?? first;
  // "What I need from you" above a list needs no colon.
  const length = isLeading ? 8 : 4;
  const isTitle = lines.length === 1 && !/[.!?,;:]$|[:`]/.test(first.text) && first.text.split(" ").length <= length;
  if (isBoldLabel(last) || isLabel(end) || (isTitle && asksFor(first.text) && !isPlain)) {
    const words = isBoldLabel(last) ? last : end;
    const inner = placeUnder(words.text, under);
    const before = sentencesOf(isBoldLabel(last) ? lines.slice(0, -1) : lines).filter((one) => one.text !== words.text);
    const entries = [...texts(before, place, false), { ...words, kind: "label" as const, place: inner }];
    return isBoldLabel(last) ? { entries, label: inner } : { entries, lead: inner };
  }
  return { entries: texts(sentences, place, isPlain) };
}

/** The sentences of a paragraph; one requirement together unless one of them names a field. */
function texts(sentences: readonly TextLine[], place: Place, isPlain: boolean): Entry[] {
  const [first] = sentences;
  const asks = ({ text }: TextLine): boolean =>
    /`[\p{L}_][\p{L}\p{N}_]*`/u.test(text) || inlineRequest(text) !== undefined;
  const here = { ...place, asks: isPlain };
  if (isPlain && first !== undefined && !sentences.some(asks))
    return [{ text: sentences.map(({ text }) => text).join(" "), line: first.line, kind: "text", place: here }];
  const entries: Entry[] = [];
  for (const one of sentences) {
    const last = entries.at(-1);
    // "Must provide `retries`: integer. Maximum 7."
    if (last !== undefined && asks(last) && !asks(one) && !/^[^:.]{3,40}:/.test(one.text))
      entries[entries.length - 1] = { ...last, text: `${last.text} ${one.text}` };
    else entries.push({ ...one, kind: "text", place: here });
  }
  return entries;
}

function sentencesOf(lines: readonly TextLine[]): readonly TextLine[] {
  if (lines.every(({ text }) => /^(?:`[\p{L}_]|\*\*)/u.test(text))) return lines;
  const whole = lines.map(({ text }) => text).join("\n");
  let at = 0;
  return whole.split(sentenceStart).map((text) => {
    const start = whole.indexOf(text, at);
    at = start + text.length;
    const line = lines[whole.slice(0, start).split("\n").length - 1]?.line ?? 1;
    return { text: text.replaceAll("\n", " ").trim(), line };
  });
}

/** The space before a sentence, or before a line that begins with a request or a label. */
const sentenceStart =
  /(?<=[.!?]\*{0,2})\s+(?=[\p{Lu}`*"“(])|\n(?=\W*(?:must (?:also )?provide\b|(?:[Rr]equired|[Ee]vidence|[Cc]heckpoint)\b\W*:|[Mm]ust (?:also )?provide\b|\p{Lu}[^:.!?`\n]{2,40}:\s))/u;

/** The entries of a list item: itself with what only describes it, then the requirements inside it. */
function itemEntries(item: ListItem, place: Place): Entry[] {
  const [first, ...rest] = item.children;
  if (first?.type !== "paragraph") return walk(item.children, place);
  const lines = linesOf(first);
  const isNew = ({ text }: TextLine): boolean =>
    text.startsWith("**") || signOf(text) !== undefined || requestLine.test(text);
  // "Duration: …" and "Cause: …" on lines of their own are two requirements.
  const isNamed = ({ text }: TextLine): boolean =>
    place.asks && namedLine.test(lines[0]?.text ?? "") && namedLine.test(text);
  const end = lines.findIndex((one, index) => index > 0 && (isNew(one) || isNamed(one)));
  const own = end === -1 ? lines : lines.slice(0, end);
  const after = end === -1 ? [] : lines.slice(end);
  const written = own.map(({ text }) => text).join(" ");
  const sign = signOf(written);
  const isBox = typeof item.checked === "boolean" || (sign !== undefined && kindOfSign(sign) === "box");
  const text = written.slice(sign?.length ?? 0);
  const line = own[0]?.line ?? item.position?.start.line ?? 1;
  const late: Entry[] = [];
  for (const one of after) {
    const last = late.at(-1);
    if (isNamed(one)) late.push({ ...one, kind: "item", place });
    else if (last !== undefined && !isNew(one)) late[late.length - 1] = { ...last, text: `${last.text} ${one.text}` };
    else late.push({ ...one, kind: "text", place: noPlace });
  }
  if (/^~~.*~~$/.test(text) || text === "") return late;
  const isLink = first.children.length === 1 && first.children[0]?.type === "link";
  if (!isBox && rest.length > 0 && isLabel({ text, line })) {
    // "The excess has been explained:" asks, and its list says more.
    const isAsked = place.asks && !isBoldLabel({ text, line }) && !asksFor(text);
    return [{ kind: isAsked ? "item" : "label", text, line, place }, ...walk(rest, placeUnder(text, place)), ...late];
  }
  if (!isBox && (!place.asks || isLink) && inlineRequest(text) === undefined)
    return [
      { kind: "text", isItem: true, text, line, place: { ...place, asks: false } },
      ...walk(rest, place),
      ...late,
    ];
  const isWhole = isBox || /^\**`[\p{L}_]\w*`/u.test(text);
  const parts = rest.flatMap((node): readonly (ListItem | RootContent)[] =>
    node.type === "list" ? node.children : [node],
  );
  const below = parts.flatMap((node) => describingText(node, isWhole) ?? []);
  const inner = parts
    .filter((node) => describingText(node, isWhole) === undefined)
    .flatMap((node) => (node.type === "listItem" ? itemEntries(node, { ...place, asks: true }) : walk([node], place)));
  const whole = { kind: isBox ? "box" : "item", text: [text, ...below].join("; "), line } as const;
  return [{ ...whole, place: { ...place, asks: true } }, ...inner, ...late];
}

/** A line that begins with a request of its own. */
const requestLine =
  /^\W*(?:must (?:also )?provide\b|(?:required|evidence|checkpoint)\s*:(?!\s*(?:yes|no|true|false)\b))/i;

/** A line that begins with its own label. */
const namedLine = /^\p{Lu}[^:.!?`]{2,40}:\s+\S/u;

/** The text of what only describes the item above it: a paragraph, or below a checkbox or a name in backticks an item without one. */
function describingText(node: ListItem | RootContent, isWhole = true): string | undefined {
  if (node.type === "paragraph")
    return linesOf(node)
      .map(({ text }) => text)
      .join(" ");
  if (node.type === "blockquote") return node.children.map((one) => describingText(one) ?? "").join(" ");
  const [only, more] = node.type === "listItem" ? node.children : [];
  if (node.type !== "listItem" || !isWhole || only?.type !== "paragraph" || more !== undefined) return undefined;
  const said = describingText(only) ?? "";
  const isOwn = typeof node.checked === "boolean" || /^\**`[\p{L}_]\w*`/u.test(said) || signOf(said) !== undefined;
  return isOwn ? undefined : said;
}

/** True for a line that is all bold, or short and ends with a colon. */
function isLabel(line: TextLine): boolean {
  const said = withoutMarks(line.text);
  const isShort = said.split(" ").length <= 25;
  return isBoldLabel(line) || (isShort && (/[:：]$/.test(said) || (said.endsWith("?") && asksFor(said.slice(0, -1)))));
}

function isBoldLabel(line: TextLine | undefined): boolean {
  return /^[^\p{L}\p{N}*]*\*\*[^*]+\*\*\s*(?:\([^)]*\))?\s*:?$/u.test(line?.text ?? "");
}

/** The sign that makes a line an entry of a list without Markdown marks: `☐`, `[ ]`, `•`. */
function signOf(text: string): string | undefined {
  return /^(?:[-*+•]\s*)?(?:\[[ xX✓✔_]?\](?!\()|[☐☑☒□◻◽▢⬜🔲✅✔✓]\uFE0F?)\s*(?=\S)|^[•◦▪‣·●○➤►▶]\s*|^\(?[a-z]\)\s+/u.exec(
    text,
  )?.[0];
}

function kindOfSign(sign: string): "box" | "item" {
  return /^(?:[•◦▪‣·●○➤►▶]|\(?[a-z]\))\s*$/u.test(sign) ? "item" : "box";
}
