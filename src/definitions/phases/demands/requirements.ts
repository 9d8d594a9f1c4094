import { describeComparison } from "../../../workflow/evidence-words.ts";
import type { Comparison, Gate, Operand, Requirement } from "../../../workflow/gate.ts";
import type { JsonObject } from "../../../workflow/json.ts";
import type { Block } from "../markdown/blocks.ts";
import { isExamplePlace } from "../markdown/gate-places.ts";
import { withoutRows } from "../markdown/table-rows.ts";
import { type ApprovalRead, findApproval, isApprovalRow } from "./approval.ts";
import { withAttributes } from "./attributes.ts";
import { type Demand, type Demands, gather, noDemands, type Unclear } from "./demand.ts";
import { tableDemands } from "./evidence-table.ts";
import { examplesIn } from "./examples.ts";
import { fieldBlocks, shownFields } from "./field-blocks.ts";
import { looseDemands } from "./loose-demands.ts";
import { mergeDemands } from "./merge-demands.ts";
import { withPlainGates } from "./plain-gates.ts";

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
  const listed = fieldBlocks(document);
  const folded = withAttributes(listed.blocks);
  const { blocks, idle } = withPlainGates(folded.blocks);
  const tables = gather(
    blocks.flatMap((block) =>
      block.kind === "table" && !isExamplePlace(block.place)
        ? (tableDemands(withoutRows(block.table, isApprovalRow), block.place) ?? [])
        : [],
    ),
  );
  const loose = gather([
    looseDemands(blocks, new Set(folded.blocks)),
    { ...noDemands, unclear: [...folded.unclear, ...listed.unclear], nameless: folded.nameless },
  ]);
  // A table of what may be left out stands beside what must be there.
  const isWhole = tables.demands.some(({ required }) => required) || tables.unclear.length > 0;
  const chosen = gather([tables, isWhole ? noDemands : loose, besides]);
  const merged = mergeDemands(chosen.demands);
  const requirements = asRequirements(merged.demands, file);
  const compared = comparisonsOf(chosen, requirements, file);
  const approvals = findApproval(blocks);
  const unasked = shownFields(listed.blocks)
    .filter(({ field }) => !requirements.some((one) => one.field === field))
    .map(({ field, line }) => ({ line, message: `${field} is shown as evidence and not asked for` }));
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
    differing: [...merged.differing, ...idle, ...unasked],
    approvals,
    examplesFor: (fields) => examplesIn(blocks, fields),
    tables: isWhole ? asRequirements(mergeDemands(tables.demands).demands, file) : [],
    loose: asRequirements(mergeDemands([...(isWhole ? [] : tables.demands), ...loose.demands]).demands, file),
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
