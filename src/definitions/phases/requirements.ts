import { describeComparison } from "../../workflow/evidence-words.ts";
import type { Comparison, Gate, Operand, Requirement } from "../../workflow/gate.ts";
import type { JsonObject } from "../../workflow/json.ts";
import { type ApprovalRead, findApproval, isAboutApproval } from "./approval.ts";
import type { Block } from "./blocks.ts";
import { boxName, checkboxDemands } from "./checkboxes.ts";
import { type Demand, type Demands, gather, noDemands, type Unclear } from "./demand.ts";
import { tableDemands } from "./evidence-table.ts";
import { examplesIn } from "./examples.ts";
import { askingAt, isExamplePlace, isOfTask, isOptionalPlace } from "./gate-places.ts";
import { mergeDemands } from "./merge-demands.ts";
import { withPlainGates } from "./plain-gates.ts";
import { proseDemands } from "./prose.ts";
import { withEntry } from "./unnamed-entry.ts";

/** What the Markdown of a phase asks for at its end. */
export type DocumentGate = {
  readonly gate: Gate;
  /** What closes the gate, for its author only. */
  readonly unclear: readonly Unclear[];
  readonly nameless: readonly Unclear[];
  /** What is said in two ways, or in a place that does not count. */
  readonly differing: readonly Unclear[];
  readonly approvals: readonly ApprovalRead[];
  /** By kind of source, also those that another one outranks. */
  readonly tables: readonly Requirement[];
  readonly loose: readonly Requirement[];
  /** What the document shows as an example of some fields. */
  examplesFor(fields: readonly string[]): JsonObject;
};

/** Reads a gate out of a phase's Markdown: from an evidence table, else from checkboxes under a gate's heading and prose; and from what is demanded besides. */
export function documentGate(document: readonly Block[], file: string, besides: Demands = noDemands): DocumentGate {
  const { blocks, idle } = withPlainGates(document);
  const tables = gather(
    blocks.flatMap((block) =>
      block.kind === "table" && !isExamplePlace(block.place)
        ? (tableDemands(block.table, askingAt(block.place)) ?? [])
        : [],
    ),
  );
  const loose = looseDemands(blocks);
  const chosen = gather([tables.demands.length > 0 || tables.unclear.length > 0 ? tables : loose, besides]);
  const merged = mergeDemands(chosen.demands);
  const requirements = asRequirements(merged.demands, file);
  const compared = comparisonsOf(chosen, requirements, file);
  const approvals = findApproval(blocks);
  const gate: Gate = {
    requirements,
    comparisons: compared.comparisons,
    examples: examplesIn(
      blocks,
      requirements.filter(({ required }) => required).map(({ field }) => field),
    ),
    rulesHold: false,
    approval: approvals.some(({ asked }) => asked),
  };
  return {
    gate,
    unclear: [...chosen.unclear, ...merged.unclear, ...compared.unclear],
    nameless: chosen.nameless,
    differing: [...merged.differing, ...idle],
    approvals,
    examplesFor: (fields) => examplesIn(blocks, fields),
    tables: asRequirements(mergeDemands(tables.demands).demands, file),
    loose: asRequirements(mergeDemands(loose.demands).demands, file),
  };
}

/** Requirements as the engine wants them, from demands. */
export function asRequirements(demands: readonly Demand[], file: string): Requirement[] {
  return demands.map(({ field, type, required, description, rules, mayBeEmpty, line }) => ({
    field,
    type,
    required,
    description,
    rules,
    ...(mayBeEmpty ? { mayBeEmpty: true } : {}),
    source: { file, line },
  }));
}

function looseDemands(blocks: readonly Block[]): Demands {
  const names = blocks.flatMap((block) => (block.kind === "item" && block.box ? (boxName(block.lines) ?? []) : []));
  const isShared = (field: string): boolean => names.filter((name) => name === field).length > 1;
  const boxes = (isOfTasks: boolean): Demands =>
    gather(
      blocks.map((block) =>
        block.kind === "item" && block.box && isOfTask(block.place) === isOfTasks
          ? boxDemands(block, isShared)
          : noDemands,
      ),
    );
  const ofPhase = gather([boxes(false), gather(blocks.map(proseIn))]);
  // What tasks must fulfil is asked for where the phase asks for nothing of its own.
  const isOfPhase = ofPhase.demands.length > 0 || ofPhase.unclear.length > 0;
  return isOfPhase ? ofPhase : { ...boxes(true), nameless: ofPhase.nameless };
}

function boxDemands({ lines, place }: Extract<Block, { kind: "item" }>, isShared: (field: string) => boolean): Demands {
  return askingAt(place) === "nothing" ? noDemands : checkboxDemands(lines, !isOptionalPlace(place), isShared);
}

function proseIn(block: Block): Demands {
  if (block.kind === "table" || block.kind === "code" || isExamplePlace(block.place)) return noDemands;
  const asking = askingAt(block.place);
  if (block.kind === "heading")
    return isAboutApproval(block.line.text) ? noDemands : proseDemands([block.line], "nothing");
  if (block.kind === "item" && block.box && asking !== "nothing") return noDemands;
  const lines = block.lines.filter(({ text }) => !isAboutApproval(text));
  // A paragraph under "Evidence" tells; a list there names.
  const prose = proseDemands(lines, block.kind === "text" && asking === "listed" ? "gate" : asking);
  const read =
    block.kind === "item" && asking === "listed" && block.place.depth === 0 ? withEntry(prose, lines) : prose;
  if (!isOptionalPlace(block.place)) return read;
  return { ...read, demands: read.demands.map((demand) => ({ ...demand, required: false })) };
}

/** Comparisons speak of fields that the gate asks for; of a text or list it is the length that counts. */
function comparisonsOf(
  { comparisons }: Demands,
  requirements: readonly Requirement[],
  file: string,
): { readonly comparisons: readonly Comparison[]; readonly unclear: readonly Unclear[] } {
  const types = new Map(requirements.map(({ field, type }) => [field, type]));
  const sized = (operand: Operand): Operand | undefined => {
    if (!("field" in operand)) return operand;
    const type = types.get(operand.field);
    if (type === "list" || type === "object") return { lengthOf: operand.field };
    return type === undefined ? undefined : operand;
  };
  const unclear: Unclear[] = [];
  const known = comparisons.flatMap(({ left, right, is, message, line }) => {
    const [from, to] = [sized(left), sized(right)];
    if (from !== undefined && to !== undefined) {
      const compared = { left: from, is, right: to };
      return [{ ...compared, message: describeComparison(compared), source: { file, line } }];
    }
    unclear.push({ line, message: `"${message}" compares with a field that the gate does not ask for` });
    return [];
  });
  return { comparisons: known, unclear };
}
