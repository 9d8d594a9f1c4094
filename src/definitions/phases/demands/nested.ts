import type { BlockContext } from "../markdown/block-context.ts";
import { isOffTopic, isOptionalContext, kindOfWords } from "../markdown/context-kind.ts";
import type { Block } from "../markdown/document-blocks.ts";
import { isStruckThrough, joinLines, type Line, withLead } from "../markdown/text-lines.ts";
import { statesRule } from "../words/meaning.ts";
import { approvalLabel, isApproval } from "./approvals.ts";
import { type Demands, isAsking, nameless, noDemands } from "./demand.ts";
import { namesIn } from "./names.ts";
import { type Reading, sentenceDemands } from "./sentences.ts";

type Entry = Extract<Block, { readonly kind: "item" }>;

/** What stands inside an entry and is no box says more of it: sub-entries, and paragraphs that ask for nothing of their own. */
export function below(blocks: readonly Block[], index: number, reading: Reading): Line[] {
  const own = blocks[index];
  const lines: Line[] = [];
  let box = Number.POSITIVE_INFINITY;
  for (const block of blocks.slice(index + 1)) {
    const { depth } = block.place;
    if (own === undefined || block.kind === "heading" || depth <= own.place.depth) break;
    if (block.kind === "item" && depth <= box) box = block.box ? depth : Number.POSITIVE_INFINITY;
    const isOurs = depth <= box && !(block.kind === "item" && block.box);
    if (isOurs && (block.kind === "item" || isMore(block, reading))) lines.push(withLead(";", joinLines(block.lines)));
  }
  return lines;
}

/** A paragraph inside an entry that goes on about its field. */
function isMore(block: Block, reading: Reading): block is Extract<Block, { readonly kind: "text" }> {
  if (block.kind !== "text") return false;
  const { text } = joinLines(block.lines);
  const isOther = approvalLabel(text) !== undefined || isApproval(text) || isQuiet(text);
  return !isOther && !isAsking(sentenceDemands(block.lines, reading));
}

/** Tells whether a block stands inside an entry that names a field, and so says more of that. */
export function isPartOfField(blocks: readonly Block[], index: number): boolean {
  return entriesAbove(blocks, index).some(isNamed);
}

/** Tells whether an entry names a field, and is no lead-in to others. */
export function isNamed(entry: Pick<Entry, "lines">): boolean {
  return !isLeadIn(entry) && namesIn(joinLines(entry.lines)).length > 0;
}

/** Tells whether an entry only leads over to those inside it: "**Must provide:**", "Optional:". */
export function isLeadIn({ lines }: Pick<Entry, "lines">): boolean {
  const line = joinLines(lines);
  return line.text.trimEnd().endsWith(":") && isLeading(line.text) && !namesIn(line).some(({ isCode }) => isCode);
}

function isLeading(words: string): boolean {
  return kindOfWords(words) === "evidence" || isOptionalContext({ ...nowhere, label: words });
}

const nowhere: BlockContext = { headings: [], label: "", intro: "", inTask: false, depth: 0 };

/** What an entry inside one that names no field asks for: what its lead-in wants, or a field of which it says something. */
export function partDemands(
  blocks: readonly Block[],
  index: number,
  { lines, place }: Entry,
  entry: Demands | undefined,
): Demands {
  const isWanted = [place.label, place.intro].some(isLeading);
  if (entry !== undefined && (isWanted || saysSomething(entry))) return entry;
  const whole = joinLines(lines);
  const isHeld = /[\d%<>≤≥]/.test(whole.text) && statesRule(whole, () => false, true);
  return isHeld && entriesAbove(blocks, index).some(({ box }) => box)
    ? nameless(whole.line, `"${whole.text.trim()}" ${uncounted}`)
    : noDemands;
}

const uncounted = "adds a rule to a checkbox that names no field, so nothing enforces it; name a field";

/** A type or a rule, and not only words. */
function saysSomething({ demands, unclear }: Demands): boolean {
  return unclear.length > 0 || demands.some(({ type, rules }) => type !== "string" || rules.length > 0);
}

/** The entries that a block stands inside, the nearest first. */
function entriesAbove(blocks: readonly Block[], index: number): Entry[] {
  const above: Entry[] = [];
  let depth = blocks[index]?.place.depth ?? 0;
  for (let at = index - 1; at >= 0 && depth > 0; at--) {
    const block = blocks[at];
    if (block?.kind !== "item" || block.place.depth >= depth) continue;
    above.push(block);
    ({ depth } = block.place);
  }
  return above;
}

/** Estimates, dependencies and notes ask for nothing, whatever words they hold. */
export function isQuiet(text: string): boolean {
  const [label = "", rest] = text.split(":");
  const isLabelled = rest !== undefined && /^\W*[\p{L} ]{1,30}$/u.test(label);
  return isStruckThrough(text) || (isLabelled && isOffTopic({ ...nowhere, label }));
}
