import { describeComparison } from "../../../gates/describe-rules.ts";
import type { Gate, Operand, Requirement } from "../../../gates/gate.ts";
import type { Block } from "../markdown/document-blocks.ts";
import { approvalOf } from "./approvals.ts";
import { asRequirements, type Demands, gather, noDemands, type Relation, type Unclear } from "./demand.ts";
import { examplesIn } from "./examples.ts";
import { looseDemands, tablesIn } from "./loose-demands.ts";
import { mergeDemands } from "./merge-demands.ts";

/** What the Markdown of a phase asks for at its end. */
export type DocumentGate = {
  readonly gate: Gate;
  /** What closes the gate, for its author only. */
  readonly unclear: readonly Unclear[];
  readonly nameless: readonly Unclear[];
  /** What is said in two ways. */
  readonly differing: readonly Unclear[];
  readonly approvals: readonly Unclear[];
  /** By kind of source, also those that another one outranks. */
  readonly tables: readonly Requirement[];
  readonly loose: readonly Requirement[];
};

/** Reads a gate out of a phase's Markdown: from an evidence table, else from boxes, entries and sentences; and from what is demanded besides. */
export function documentGate(blocks: readonly Block[], file: string, besides: Demands = noDemands): DocumentGate {
  const tables = gather(tablesIn(blocks));
  // Whether a name in backticks is another field is known when all are read.
  const names = new Set([...looseDemands(blocks, () => false).demands, ...besides.demands].map(({ field }) => field));
  const loose = looseDemands(blocks, (name) => names.has(name));
  // A table of what may be left out stands beside what must be there.
  const isWhole = tables.demands.some(({ required }) => required) || tables.unclear.length > 0;
  const chosen = gather([tables, isWhole ? noDemands : loose, besides]);
  const merged = mergeDemands(chosen.demands);
  const requirements = asRequirements(merged.demands, file);
  const { asked, unclear: unclearApprovals } = approvalOf(blocks);
  const gate: Gate = {
    requirements,
    comparisons: chosen.relations.map((relation) => comparisonOf(relation, requirements, file)),
    examples: examplesIn(blocks, requirements),
    rulesHold: false,
    approval: asked !== undefined,
    ...(asked === undefined ? {} : { approvalSource: { file, line: asked.line } }),
  };
  return {
    gate,
    unclear: [...chosen.unclear, ...merged.unclear],
    // Beside a table nothing else closes the gate; what it does not hold is said.
    nameless: [...chosen.nameless, ...(isWhole ? [...loose.nameless, ...loose.unclear] : [])],
    differing: merged.differing,
    approvals: unclearApprovals.map(({ line }) => ({ line, message: unclearApproval })),
    tables: isWhole ? asRequirements(mergeDemands(tables.demands).demands, file) : [],
    loose: asRequirements(mergeDemands([...(isWhole ? [] : tables.demands), ...loose.demands]).demands, file),
  };
}

const unclearApproval = "the text about approval is not understood, so a person is asked";

/** Of a list or an object it is the length that is compared. */
function comparisonOf({ field, is, other, line }: Relation, requirements: readonly Requirement[], file: string) {
  const isLong = (name: string): boolean =>
    requirements.some((one) => one.field === name && (one.type === "list" || one.type === "object"));
  const operand = (name: string): Operand => (isLong(name) ? { lengthOf: name } : { field: name });
  const compared = { left: operand(field), is, right: operand(other) };
  return { ...compared, message: describeComparison(compared), source: { file, line } };
}
