import type { Table } from "mdast";
import type { Block, Place } from "../markdown/blocks.ts";
import { hidesDemands } from "../markdown/html.ts";
import { hasWords, isStruck, joinLines, type Line, withLead } from "../markdown/lines.ts";
import { isAside, isOptionalPlace, type Kind, kindOfPlace } from "../markdown/places.ts";
import { rowsOf } from "../markdown/table-rows.ts";
import { statesRule } from "../words/meaning.ts";
import { approvalLabel, isApproval, isApprovalHeading } from "./approvals.ts";
import { boxDemands, itemDemands } from "./boxes.ts";
import { type Demands, gather, nameless, noDemands, unclear } from "./demand.ts";
import { namesIn } from "./names.ts";
import { entryDemands, plain, type Reading, sentenceDemands } from "./sentences.ts";
import { tableDemands } from "./tables.ts";

/** The demands of every evidence table among the blocks. */
export function tablesIn(blocks: readonly Block[]): Demands[] {
  return blocks.flatMap((block) => {
    const kind = kindOfPlace(block.place);
    return block.kind === "table" && kind !== "example" ? (tableDemands(block.table, kind) ?? []) : [];
  });
}

/** What boxes, entries and sentences ask for. What proves a task counts where the phase asks for nothing of its own. */
export function looseDemands(blocks: readonly Block[], isField: (name: string) => boolean): Demands {
  const hasGate = blocks.some(({ place }) => !isOfTask(place) && ["gate", "evidence"].includes(kindOfPlace(place)));
  const kindAt = (place: Place): Kind => {
    const kind = kindOfPlace(place);
    const isBare =
      place.headings.filter((heading) => !isApprovalHeading(heading)).length <= 1 &&
      place.label === "" &&
      !place.inTask;
    if (kind === "weak") return hasGate ? "nothing" : "gate";
    return kind === "nothing" && isBare && !hasGate ? "weak" : kind;
  };
  const read = blocks.map((block, index) => ({ block, demands: demandsOf(block, index, blocks, kindAt, isField) }));
  const own = read.filter(({ block }) => block.kind !== "item" || !block.box || !isOfTask(block.place));
  const ofPhase = gather(own.map(({ demands }) => demands));
  const isAsked = ofPhase.demands.length > 0 || ofPhase.unclear.length > 0;
  return isAsked ? ofPhase : gather(read.map(({ demands }) => demands));
}

/** Tells whether what is asked for here is asked of a task alone, not of its phase. */
export function isOfTask({ inTask, label, headings, intro }: Place): boolean {
  const near = [headings.at(-1) ?? "", label, intro].map((text) => text.toLowerCase());
  return inTask && !near.some((text) => text.includes("gate") || text.includes("checkpoint"));
}

function demandsOf(
  block: Block,
  index: number,
  blocks: readonly Block[],
  kindAt: (place: Place) => Kind,
  isField: (name: string) => boolean,
): Demands {
  const kind = kindAt(block.place);
  if (kind === "example" || block.kind === "heading") return noDemands;
  const inGate = kind === "gate" || kind === "evidence";
  const isPart = isPartOfField(blocks, index);
  if (block.kind === "table") return inGate ? unreadTable(block.table, kind, isPart) : noDemands;
  if (block.kind === "html") return inGate && hidesDemands(block.text) ? unclear(block.line, inHtml) : noDemands;
  if (block.kind === "code") {
    const isFields = kind === "evidence" && ["yaml", "yml"].includes(block.code.lang ?? "");
    return isFields ? nameless(block.code.position?.start.line ?? 1, inCode) : noDemands;
  }
  const reading: Reading = { isRequired: !isOptionalPlace(block.place), isField };
  if (block.kind === "item" && block.box && (inGate || kind === "weak"))
    return itemDemands(block, below(blocks, index, reading), isField);
  const lines = block.lines.filter(({ text }) => approvalLabel(text) === undefined && !isQuiet(text));
  if (lines.length === 0 || (block.kind === "item" && isPartOfBox(blocks, index))) return noDemands;
  const more = block.kind === "item" && isNamed(block) ? below(blocks, index, reading) : [];
  const said = sentenceDemands([...lines, ...more], reading, block.kind === "item");
  if (isAsking(said)) return said;
  if (block.kind === "text") return inGate && !isPart ? proseDemands(lines, kind, isField) : noDemands;
  const whole = joinLines(lines);
  if (!inGate || block.place.depth > 0 || isApproval(whole.text)) return noDemands;
  const entry = entryDemands([...lines, ...below(blocks, index, reading)], reading);
  if (entry !== undefined) return entry;
  if (isApprovalHeading(block.place.headings.at(-1) ?? "") || isApproval(block.place.label)) return noDemands;
  return isPlainList(blocks, block.place)
    ? boxDemands(lines, [], reading)
    : nameless(whole.line, `"${whole.text.trim()}" stands in the gate and names no field`);
}

const inHtml = "what stands in HTML inside a gate is not read; write it in Markdown, with a blank line after the tag";
const inCode = "fields in a code block are not read; write them as a list or a table";
/** A table in a gate that is no evidence table: its author is told, and where it names fields or says more of one the gate is closed. */
function unreadTable(table: Table, kind: Kind, isPart: boolean): Demands {
  const line = table.position?.start.line ?? 1;
  if (isPart) return unclear(line, inTable);
  if (tableDemands(table, kind) !== undefined) return noDemands;
  const isOfFields = rowsOf(table).some(
    ([first]) => first !== undefined && namesIn(first).some(({ isCode }) => isCode),
  );
  return isOfFields ? unclear(line, notEvidence) : nameless(line, notEvidence);
}

const notEvidence = "the table stands in the gate and is not read: it has no columns for evidence and its type";
const inTable = "a table inside an entry is not read; write what it says of the field as entries of a list";
const unmarked = "names a field and is no entry of a list; write - before it";
const apart = "says what a field must be, apart from it; write it where the field stands";

/** What a paragraph in a gate asks for: nothing that a gate could hold, so that its author is told. */
function proseDemands(lines: readonly Line[], kind: Kind, isField: Reading["isField"]): Demands {
  const unlisted = lines.find((line) => isEntry(line, kind));
  if (unlisted !== undefined) return unclear(unlisted.line, `"${unlisted.text.trim()}" ${unmarked}`);
  const whole = joinLines(lines);
  const text = whole.text.trim();
  const isLeadIn = [":", "："].includes(text.slice(-1));
  if (isLeadIn || isApproval(text) || !statesRule(whole, isField)) return noDemands;
  const isOfField = namesIn(whole).some(({ field, isCode }) => isCode && isField(field));
  if (isOfField) return unclear(whole.line, `"${text}" ${apart}`);
  return nameless(whole.line, `"${text}" stands in the gate and names no field`);
}

function isAsking({ demands, unclear, nameless }: Demands): boolean {
  return demands.length + unclear.length + nameless.length > 0;
}

/** In a paragraph under "Evidence", a line that begins with a name was meant as an entry; in a gate, with one in backticks. */
function isEntry(line: Line, kind: Kind): boolean {
  const [first] = namesIn(line);
  if (first === undefined || (kind !== "evidence" && !first.isCode) || hasWords(line.text.slice(0, first.start)))
    return false;
  return ["", ":", "(", "=", "–", "—", "-"].includes(line.text.slice(first.end).trimStart().slice(0, 1));
}

/** What stands inside an entry and is no box says more of it: sub-entries, and paragraphs that ask for nothing of their own. */
function below(blocks: readonly Block[], index: number, reading: Reading): Line[] {
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

/** Tells whether a block stands inside an entry that names a field. */
function isPartOfField(blocks: readonly Block[], index: number): boolean {
  const above = entryAbove(blocks, index);
  return above !== undefined && isNamed(above);
}

function isNamed({ lines }: { readonly lines: readonly Line[] }): boolean {
  return namesIn(joinLines(lines)).length > 0;
}

/** An entry without a box, below one that has a box or names a field, belongs to that. */
function isPartOfBox(blocks: readonly Block[], index: number): boolean {
  const above = entryAbove(blocks, index);
  return above !== undefined && (above.box || isNamed(above));
}

type Entry = Extract<Block, { readonly kind: "item" }>;

/** The entry that a block stands inside. */
function entryAbove(blocks: readonly Block[], index: number): Entry | undefined {
  const depth = blocks[index]?.place.depth ?? 0;
  if (depth === 0) return undefined;
  return blocks.slice(0, index).findLast((block): block is Entry => block.kind === "item" && block.place.depth < depth);
}

/** A list in a gate without any box or name: its entries are promises like boxes. */
function isPlainList(blocks: readonly Block[], { headings, label }: Place): boolean {
  const isBeside = ({ place }: Block): boolean =>
    place.depth === 0 && place.label === label && place.headings.join("\n") === headings.join("\n");
  return blocks.every(
    (block) =>
      block.kind !== "item" || !isBeside(block) || (!block.box && entryDemands(block.lines, plain) === undefined),
  );
}

/** Estimates, dependencies and notes ask for nothing, whatever words they hold. */
function isQuiet(text: string): boolean {
  const [label = "", rest] = text.split(":");
  const isLabelled = rest !== undefined && /^\W*[\p{L} ]{1,30}$/u.test(label);
  return isStruck(text) || (isLabelled && isAside({ headings: [], label, intro: "", inTask: false, depth: 0 }));
}
