import type { Block, Place } from "../markdown/blocks.ts";
import { hidesDemands } from "../markdown/html.ts";
import { hasWords, isStruck, joinLines, type Line, withLead } from "../markdown/lines.ts";
import { isAside, isOptionalPlace, type Kind, kindOfPlace } from "../markdown/places.ts";
import { approvalLabel, isApproval } from "./approvals.ts";
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
    const isBare = place.headings.length <= 1 && place.label === "" && !place.inTask;
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
  if (kind === "example" || block.kind === "table" || block.kind === "heading") return noDemands;
  const inGate = kind === "gate" || kind === "evidence";
  if (block.kind === "html") return inGate && hidesDemands(block.text) ? unclear(block.line, inHtml) : noDemands;
  if (block.kind === "code") {
    const isFields = kind === "evidence" && ["yaml", "yml"].includes(block.code.lang ?? "");
    return isFields ? nameless(block.code.position?.start.line ?? 1, inCode) : noDemands;
  }
  const reading: Reading = { isRequired: !isOptionalPlace(block.place), isField };
  if (block.kind === "item" && block.box && (inGate || kind === "weak"))
    return itemDemands(block, below(blocks, index), isField);
  const lines = block.lines.filter(({ text }) => approvalLabel(text) === undefined && !isQuiet(text));
  if (lines.length === 0 || (block.kind === "item" && isPartOfBox(blocks, index))) return noDemands;
  const said = sentenceDemands(lines, reading);
  if (said.demands.length + said.unclear.length + said.nameless.length > 0) return said;
  if (block.kind === "text") {
    const unlisted = kind === "evidence" ? lines.find(isEntry) : undefined;
    return unlisted === undefined ? noDemands : unclear(unlisted.line, `"${unlisted.text.trim()}" ${unmarked}`);
  }
  const whole = joinLines(lines);
  if (!inGate || block.place.depth > 0 || isApproval(whole.text)) return noDemands;
  const entry = entryDemands([...lines, ...below(blocks, index)], reading);
  if (entry !== undefined) return entry;
  return isPlainList(blocks, block.place)
    ? boxDemands(lines, [], reading)
    : nameless(whole.line, `"${whole.text.trim()}" stands in the gate and names no field`);
}

const inHtml = "what stands in HTML inside a gate is not read; write it in Markdown, with a blank line after the tag";
const inCode = "fields in a code block are not read; write them as a list or a table";
const unmarked = "names a field and is no entry of a list; write - before it";

/** In a paragraph under "Evidence", a line that begins with a name was meant as an entry. */
function isEntry(line: Line): boolean {
  const [first] = namesIn(line);
  if (first === undefined || hasWords(line.text.slice(0, first.start))) return false;
  return ["", ":", "(", "=", "–", "—", "-"].includes(line.text.slice(first.end).trimStart().slice(0, 1));
}

/** Sub-entries that are no boxes say more of the entry they stand below. */
function below(blocks: readonly Block[], index: number): Line[] {
  const own = blocks[index];
  const lines: Line[] = [];
  for (const block of blocks.slice(index + 1)) {
    if (own === undefined || block.kind !== "item" || block.place.depth <= own.place.depth) break;
    if (block.box || block.place.depth > own.place.depth + 1) break;
    lines.push(withLead(";", joinLines(block.lines)));
  }
  return lines;
}

/** An entry without a box, below one that has a box or names a field, belongs to that. */
function isPartOfBox(blocks: readonly Block[], index: number): boolean {
  const own = blocks[index];
  if (own === undefined || own.place.depth === 0) return false;
  const above = blocks
    .slice(0, index)
    .findLast((block) => block.kind === "item" && block.place.depth < own.place.depth);
  return above?.kind === "item" && (above.box || namesIn(joinLines(above.lines)).length > 0);
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
