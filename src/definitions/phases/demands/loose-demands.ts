import type { Block, Place } from "../markdown/blocks.ts";
import { hidesDemands } from "../markdown/html.ts";
import { hasWords, isStruck, joinLines, type Line, withLead } from "../markdown/lines.ts";
import { isAside, isOptionalPlace, type Kind, kindOfPlace } from "../markdown/places.ts";
import { approvalLabel, isApproval } from "./approvals.ts";
import { boxDemands } from "./boxes.ts";
import { type Demands, gather, nameless, noDemands, unclear } from "./demand.ts";
import { namesIn } from "./names.ts";
import { entryDemands, type Reading, sentenceDemands } from "./sentences.ts";
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
  const ofPhase = gather(read.filter(({ block }) => !isTaskBox(block)).map(({ demands }) => demands));
  const isAsked = ofPhase.demands.length > 0 || ofPhase.unclear.length > 0;
  return isAsked ? ofPhase : gather(read.map(({ demands }) => demands));
}

/** Tells whether what is asked for here is asked of a task alone, not of its phase. */
export function isOfTask({ inTask, label, headings, intro }: Place): boolean {
  const near = [headings.at(-1) ?? "", label, intro].map((text) => text.toLowerCase());
  return inTask && !near.some((text) => text.includes("gate") || text.includes("checkpoint"));
}

function isTaskBox(block: Block): boolean {
  return block.kind === "item" && block.box && isOfTask(block.place);
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
  if (block.kind === "html")
    return inGate && hidesDemands(block.text)
      ? unclear(
          block.line,
          "what stands in HTML inside a gate is not read; write it in Markdown, with a blank line after the tag",
        )
      : noDemands;
  if (block.kind === "code")
    return kind === "evidence" && ["yaml", "yml"].includes(block.code.lang ?? "")
      ? nameless(
          block.code.position?.start.line ?? 1,
          "fields in a code block are not read; write them as a list or a table",
        )
      : noDemands;
  const reading: Reading = { isListed: kind === "evidence", isRequired: !isOptionalPlace(block.place), isField };
  const isBox = block.kind === "item" && block.box;
  if (isBox && (inGate || kind === "weak")) {
    if (isApproval(joinLines(block.lines).text)) return noDemands;
    return boxDemands(block.lines, below(blocks, index), reading);
  }
  const lines = block.lines.filter(({ text }) => approvalLabel(text) === undefined && !isQuiet(text));
  if (lines.length === 0 || (block.kind === "item" && isPartOfBox(blocks, index))) return noDemands;
  const said = sentenceDemands(lines, reading);
  if (!isNothing(said)) return said;
  if (block.kind === "text")
    return kind === "evidence"
      ? gather(entriesIn(lines).map((entry) => entryDemands(entry, reading) ?? noDemands))
      : noDemands;
  if (!inGate || block.place.depth > 0 || isApproval(joinLines(lines).text)) return noDemands;
  const entry = entryDemands([...lines, ...below(blocks, index)], reading);
  if (entry !== undefined) return entry;
  return isPlainList(blocks, block.place)
    ? boxDemands(lines, [], reading)
    : nameless(joinLines(lines).line, `"${joinLines(lines).text.trim()}" stands in the gate and names no field`);
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
  const beside = blocks.filter(
    (block) =>
      block.kind === "item" &&
      block.place.depth === 0 &&
      block.place.label === label &&
      block.place.headings.join("\n") === headings.join("\n"),
  );
  return beside.every(
    (block) =>
      block.kind === "item" &&
      !block.box &&
      entryDemands(block.lines, { isListed: true, isRequired: true, isField: () => false }) === undefined,
  );
}

/** In a paragraph under "Evidence", each line that begins with a name is an entry, with the lines after it. */
function entriesIn(lines: readonly Line[]): Line[][] {
  const entries: Line[][] = [];
  for (const line of lines) {
    const [first] = namesIn(line);
    const isEntry =
      first !== undefined &&
      !hasWords(line.text.slice(0, first.start)) &&
      /^\s*(?:[:(=–—]|-\s|$)/.test(line.text.slice(first.end));
    if (isEntry) entries.push([line]);
    else entries.at(-1)?.push(line);
  }
  return entries;
}

/** Estimates, dependencies and notes ask for nothing, whatever words they hold. */
function isQuiet(text: string): boolean {
  const [label = "", rest] = text.split(":");
  const isLabelled = rest !== undefined && /^\W*[\p{L} ]{1,30}$/u.test(label);
  return isStruck(text) || (isLabelled && isAside({ headings: [], label, intro: "", inTask: false, depth: 0 }));
}

function isNothing({ demands, unclear: closed, nameless: found }: Demands): boolean {
  return demands.length + closed.length + found.length === 0;
}
