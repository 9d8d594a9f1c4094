/** A block of lines: a heading, a whole fence, a table or a paragraph, with the blank lines after it. */
export type Block = {
  readonly kind: "heading" | "fence" | "text";
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
  /** The first line and the last line that is not blank, counted from 1. */
  readonly line: number;
  readonly lastLine: number;
  /** For a heading: 1 to 6. */
  readonly level: number;
  /** For a heading: its text. */
  readonly title: string;
  /** True for blank lines before anything else. */
  readonly isBlank: boolean;
  /** True for an indented line after a blank one, which continues the previous block. */
  readonly continues: boolean;
};

/** Splits Markdown into blocks without gaps; a line scanner is fast and loses nothing that a parser would drop. */
export function blocksOf(text: string, from: number, firstLine: number): Block[] {
  const blocks: Block[] = [];
  let open: OpenBlock | undefined;
  let blankBefore = true;
  const close = (end: number) => {
    if (open !== undefined) {
      const { kind, start, line, lastLine, level, title, continues, first } = open;
      const isBlank = kind === "text" && first === "";
      blocks.push({ kind, start, end, line, lastLine, level, title, isBlank, continues });
    }
    open = undefined;
  };
  let line = firstLine;
  for (let start = from; start < text.length; line++) {
    const next = lineEnd(text, start);
    const content = text.slice(start, Math.min(next, start + longestLook));
    const isBlank = content.trim() === "";
    const underline = open !== undefined && !blankBefore ? setext.exec(content) : null;
    if (open?.kind === "fence" && open.closedBy !== undefined) {
      if (closesFence(content, open.closedBy)) open.closedBy = undefined;
    } else if (isBlank) {
      open ??= startBlock("text", start, line);
    } else if (underline !== null && open?.kind === "text" && open.lines === 1 && paragraph.test(open.first)) {
      open.kind = "heading";
      open.level = underline[1]?.startsWith("=") ? 1 : 2;
      open.title = open.first.trim();
    } else {
      const begun = beginning(content, start, line, blankBefore);
      const goesOn = begun.kind === "text" && open?.kind === "text" && !blankBefore;
      if (open === undefined || !goesOn) {
        close(start);
        open = begun;
      } else open.lines++;
    }
    if (!isBlank && open !== undefined) open.lastLine = line;
    blankBefore = isBlank;
    start = next;
  }
  close(text.length);
  return blocks;
}

type OpenBlock = {
  kind: Block["kind"];
  start: number;
  line: number;
  lastLine: number;
  level: number;
  title: string;
  continues: boolean;
  /** For an open fence: its mark. */
  closedBy: string | undefined;
  lines: number;
  first: string;
};

const longestLook = 1000;
const atx = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?\s*$/;
const setext = /^ {0,3}(=+|-{2,})\s*$/;
const fence = /^\s*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}(?=[^`]*$)|~{3,})/;
const paragraph = /^ {0,3}(?![-*+>|#]\s|[|>]|\d+[.)]\s)\S/;

function beginning(content: string, start: number, line: number, blankBefore: boolean): OpenBlock {
  const heading = atx.exec(content);
  if (heading !== null) {
    const block = startBlock("heading", start, line);
    block.level = heading[1]?.length ?? 1;
    block.title = heading[2] ?? "";
    return block;
  }
  const mark = fence.exec(content)?.[1];
  const block = startBlock(mark === undefined ? "text" : "fence", start, line);
  block.closedBy = mark;
  block.first = content;
  block.continues = mark === undefined ? blankBefore && /^(?: {2,}|\t)/.test(content) : /^\s/.test(content);
  return block;
}

function startBlock(kind: Block["kind"], start: number, line: number): OpenBlock {
  return {
    kind,
    start,
    line,
    lastLine: line,
    level: 0,
    title: "",
    continues: false,
    closedBy: undefined,
    lines: 1,
    first: "",
  };
}

function closesFence(content: string, mark: string): boolean {
  const line = content.trim();
  return line.length >= mark.length && line === mark.charAt(0).repeat(line.length);
}

function lineEnd(text: string, start: number): number {
  const at = text.indexOf("\n", start);
  return at === -1 ? text.length : at + 1;
}
