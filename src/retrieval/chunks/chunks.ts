import { type Block, blocksOf } from "./markdown-blocks.ts";
import { plain } from "./plain-line.ts";

/** A passage of a document: whole blocks under one heading path. The chunks of a text have no gaps. */
export type Chunk = {
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
  readonly firstLine: number;
  readonly lastLine: number;
  /** The headings above it, outermost first. */
  readonly section: readonly string[];
  /** Every heading that applies to it, including empty ones. */
  readonly headings: readonly string[];
  /** True for a list of the questions that the document answers. */
  readonly asks: boolean;
};

/** Splits a text into chunks: sections stay apart, long ones are split between blocks, fences and tables stay whole. */
export function chunksOf(text: string, from: number, firstLine: number): Chunk[] {
  const chunks: Chunk[] = [];
  const path: { readonly level: number; readonly title: string }[] = [];
  let section: readonly string[] = [];
  let asks = false;
  let open: OpenChunk | undefined;
  for (const block of blocksOf(text, from, firstLine)) {
    if (block.kind === "heading") {
      while ((path.at(-1)?.level ?? 0) >= block.level) path.pop();
      path.push({ level: block.level, title: plain(block.title) });
      section = path.map(({ title }) => title);
      asks = section.some(isQuestionHeading);
    }
    if (open !== undefined && startsNewChunk(open, block, asks)) {
      chunks.push(finish(open, block.start));
      open = undefined;
    }
    open ??= startChunk(block, section, asks);
    take(open, block, section);
  }
  if (open !== undefined) chunks.push(finish(open, text.length));
  return chunks;
}

type OpenChunk = {
  readonly start: number;
  readonly firstLine: number;
  lastLine: number;
  section: readonly string[];
  readonly headings: string[];
  readonly asks: boolean;
  /** The size of its content without headings. */
  size: number;
};

/** A chunk takes no block that would make it longer than this many characters. */
const large = 1500;

function startsNewChunk(open: OpenChunk, block: Block, asks: boolean): boolean {
  if (open.asks !== asks) return true;
  if (block.kind === "heading") return open.size > 0; // an empty heading goes with what follows
  return open.size > 0 && !block.continues && open.size + block.end - block.start > large;
}

function startChunk(block: Block, section: readonly string[], asks: boolean): OpenChunk {
  return {
    start: block.start,
    firstLine: block.line,
    lastLine: block.lastLine,
    section,
    headings: [...section],
    asks,
    size: 0,
  };
}

function take(open: OpenChunk, block: Block, section: readonly string[]): void {
  open.lastLine = block.lastLine;
  if (open.size === 0) open.section = section;
  for (const title of section) if (!open.headings.includes(title)) open.headings.push(title);
  if (block.kind !== "heading" && !block.isBlank) open.size += block.end - block.start;
}

function finish({ start, firstLine, lastLine, section, headings, asks }: OpenChunk, end: number): Chunk {
  return { start, end, firstLine, lastLine, section, headings, asks };
}

function isQuestionHeading(title: string): boolean {
  return /\bquestions?\b.*\banswer(?:s|ed)?\b|\banswers\b.*\bquestions\b/i.test(title);
}
