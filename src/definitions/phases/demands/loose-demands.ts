import type { Table } from "mdast";
import type { BlockContext } from "../markdown/block-context.ts";
import { type ContextKind, isOptionalContext, kindOfContext } from "../markdown/context-kind.ts";
import type { Block } from "../markdown/document-blocks.ts";
import { hidesRequirements } from "../markdown/html.ts";
import { rowsOf } from "../markdown/table-rows.ts";
import { joinLines } from "../markdown/text-lines.ts";
import { approvalLabel, besidesApproval, isApproval, isApprovalHeading } from "./approvals.ts";
import { boxDemands, itemDemands } from "./boxes.ts";
import { type Demands, gather, isAsking, nameless, noDemands, unclear } from "./demand.ts";
import { namesIn } from "./names.ts";
import { below, isLeadIn, isNamed, isPartOfField, isQuiet, partDemands } from "./nested.ts";
import { paragraphDemands } from "./paragraphs.ts";
import { entryDemands, plain, type Reading, sentenceDemands } from "./sentences.ts";
import { tableDemands } from "./tables.ts";
import { unreadBox } from "./unread.ts";

/** The demands of every evidence table among the blocks. */
export function tablesIn(blocks: readonly Block[]): Demands[] {
  return blocks.flatMap((block) => {
    const kind = kindOfContext(block.place);
    return block.kind === "table" && kind !== "example" ? (tableDemands(block.table, kind) ?? []) : [];
  });
}

/** What boxes, entries and sentences ask for. The steps of a task count where the phase asks for nothing else. */
export function looseDemands(blocks: readonly Block[], isField: (name: string) => boolean): Demands {
  const hasGate = blocks.some(({ place }) => !isOfTask(place) && ["gate", "evidence"].includes(kindOfContext(place)));
  const kindAt = (place: BlockContext): ContextKind => {
    const kind = kindOfContext(place);
    const isBare =
      place.headings.filter((heading) => !isApprovalHeading(heading)).length <= 1 &&
      place.label === "" &&
      !place.inTask;
    if (kind === "weak") return hasGate ? "nothing" : "gate";
    return kind === "nothing" && isBare && !hasGate ? "weak" : kind;
  };
  const read = blocks.map((block, index) => ({ block, demands: demandsOf(block, index, blocks, kindAt, isField) }));
  const own = read.filter(({ block }) => !isStepOfTask(block));
  const isAsked = own.some(({ demands: { demands, unclear } }) => demands.length + unclear.length > 0);
  return gather(
    read.map((one) => (isAsking(one.demands) && (!isAsked || own.includes(one)) ? one.demands : unreadBox(one.block))),
  );
}

/** A box of a task that is no criterion of it: one of the steps that the task consists of. */
function isStepOfTask(block: Block): boolean {
  const isCriterion = ["gate", "evidence"].includes(kindOfContext(block.place));
  return block.kind === "item" && block.box && isOfTask(block.place) && !isCriterion;
}

/** Tells whether what is asked for here is asked of a task alone, not of its phase. */
export function isOfTask({ inTask, label, headings, intro }: BlockContext): boolean {
  const near = [headings.at(-1) ?? "", label, intro].map((text) => text.toLowerCase());
  return inTask && !near.some((text) => text.includes("gate") || text.includes("checkpoint"));
}

function demandsOf(
  block: Block,
  index: number,
  blocks: readonly Block[],
  kindAt: (place: BlockContext) => ContextKind,
  isField: (name: string) => boolean,
): Demands {
  const kind = kindAt(block.place);
  if (kind === "example" || block.kind === "heading") return noDemands;
  const inGate = kind === "gate" || kind === "evidence";
  const isPart = isPartOfField(blocks, index);
  if (block.kind === "table") return inGate ? unreadTable(block.table, kind, isPart) : noDemands;
  if (block.kind === "html") return inGate && hidesRequirements(block.text) ? unclear(block.line, inHtml) : noDemands;
  if (block.kind === "code") {
    const { lang, value } = block.code;
    const isFields = inGate && (["yaml", "yml"].includes(lang ?? "") || value.includes("evidence_schema"));
    return isFields ? nameless(block.code.position?.start.line ?? 1, inCode) : noDemands;
  }
  const reading: Reading = { isRequired: !isOptionalContext(block.place), isField };
  if (block.kind === "item" && block.box && (inGate || kind === "weak"))
    return itemDemands(block, below(blocks, index, reading), isField);
  const lines = block.lines.filter(({ text }) => approvalLabel(text) === undefined && !isQuiet(text));
  if (lines.length === 0 || (block.kind === "item" && (isPart || isLeadIn(block)))) return noDemands;
  const more = block.kind === "item" && isNamed(block) ? below(blocks, index, reading) : [];
  const said = sentenceDemands([...lines, ...more], reading, block.kind === "item");
  if (isAsking(said)) return said;
  if (block.kind === "text") return inGate && !isPart ? paragraphDemands(lines, kind, isField) : noDemands;
  const whole = joinLines(lines);
  if (!inGate) return noDemands;
  const ofPerson = isApproval(whole.text);
  const entry = entryDemands([...lines, ...below(blocks, index, reading)], { ...reading, isBox: ofPerson });
  if (ofPerson) return besidesApproval(entry ?? noDemands, namesIn(whole)[0]?.field);
  if (block.place.depth > 0) return partDemands(blocks, index, block, entry);
  if (entry !== undefined) return entry;
  if (isApprovalHeading(block.place.headings.at(-1) ?? "") || isApproval(block.place.label)) return noDemands;
  return isPlainList(blocks, block.place)
    ? boxDemands(lines, [], reading)
    : nameless(whole.line, `"${whole.text.trim()}" is in the gate but names no field`);
}

const inHtml = "HTML inside a gate is not read; write it in Markdown, with a blank line after the tag";
const inCode = "fields in a code block are not read; write them as a list or a table";
/** A table in a gate that is no evidence table: its author is told, and where it names fields or says more of one the gate is closed. */
function unreadTable(table: Table, kind: ContextKind, isPart: boolean): Demands {
  const line = table.position?.start.line ?? 1;
  if (isPart) return unclear(line, inTable);
  if (tableDemands(table, kind) !== undefined) return noDemands;
  const isOfFields = rowsOf(table).some(
    ([first]) => first !== undefined && namesIn(first).some(({ isCode }) => isCode),
  );
  return isOfFields ? unclear(line, notEvidence) : nameless(line, notEvidence);
}

const notEvidence = "the table in the gate is not read: it needs columns for the evidence and its type";
const inTable = "a table inside a list entry is not read; write its rows as list entries";
/** A list in a gate without any box or name: its entries are promises like boxes. */
function isPlainList(blocks: readonly Block[], { headings, label }: BlockContext): boolean {
  const isBeside = ({ place }: Block): boolean =>
    place.depth === 0 && place.label === label && place.headings.join("\n") === headings.join("\n");
  return blocks.every(
    (block) =>
      block.kind !== "item" || !isBeside(block) || (!block.box && entryDemands(block.lines, plain) === undefined),
  );
}
