import { combinedApproval } from "../../gates/combine-gates.ts";
import { type Gate, hasRequirements } from "../../gates/gate.ts";
import { findClash } from "../../gates/rule-clash.ts";
import { defined } from "../../kit/defined.ts";
import type { Demands, Unclear } from "./demands/demand.ts";
import { type DocumentGate, documentGate } from "./demands/document-gate.ts";
import { examplesIn } from "./demands/examples.ts";
import { sourcesThatDiffer } from "./demands/sources-differ.ts";
import { kindOfContext } from "./markdown/context-kind.ts";
import type { Block } from "./markdown/document-blocks.ts";
import { type WorkflowProblem, type WorkflowProblemCode, workflowProblem } from "./workflow-problem.ts";

/** The location of a phase's Markdown, on disk and as messages show it. */
export type PhaseLocation = { readonly path: string; readonly file: string; readonly line: number };

/** A phase's gate with its complaints. */
export type PhaseGate = {
  readonly gate: Gate;
  readonly complaints: readonly WorkflowProblem[];
  /** The source that is the whole gate, so that others add nothing to it. */
  readonly whole?: "the gate file" | "the evidence table";
};

/** Builds a phase's gate from its gate file, otherwise from its Markdown, and reports errors. */
export function phaseGate(
  blocks: readonly Block[],
  place: PhaseLocation,
  file?: { readonly gate: Gate; readonly path: string },
  besides?: Demands,
): PhaseGate {
  // A gate file with edits alone leaves the requirements to the Markdown.
  const isSilent = file?.gate.edits !== undefined && file.gate.closed === undefined && !hasRequirements(file.gate);
  const written = isSilent ? undefined : file;
  const read = documentGate(blocks, place.file, besides);
  const gate =
    written === undefined ? { ...read.gate, ...editsOf(file?.gate) } : withDocument(written.gate, read, blocks);
  const { closed } = gate;
  const whole = written !== undefined ? "the gate file" : read.tables.length > 0 ? "the evidence table" : undefined;
  const path = written?.path ?? place.path;
  const isOpen = closed === undefined;
  const unclear = written === undefined ? read.unclear : [];
  const note =
    (code: WorkflowProblemCode, fix: string, closes: boolean) =>
    ({ line, message }: Unclear): WorkflowProblem =>
      workflowProblem(code, place.path, message, fix, { line, closes });
  const nothing = requiresNothing(gate) && isOpen && unclear.length === 0;
  return {
    gate,
    ...(whole === undefined ? {} : { whole }),
    complaints: [
      ...(isOpen
        ? []
        : [workflowProblem("closed-gate", path, closed.message, "Fix the gate file.", { line: closed.line ?? 1 })]),
      ...unclear.map(note("requirement-not-understood", sayIt, true)),
      ...(written === undefined ? conflictsIn(gate) : []).map(note("unsatisfiable-rule", changeOne, true)),
      // Rules belong to a bot's behaviors, so a phase has none to check.
      ...(gate.rulesHold && isOpen
        ? [workflowProblem("requirement-not-understood", path, noRules, "Remove checks: [rules].")]
        : []),
      ...(nothing ? [nothingAsked(place, blocks)] : []),
      ...(written === undefined ? read.nameless : []).map(
        note("demand-without-field", "Name the field in backticks in the gate, with its type or rule.", false),
      ),
      ...read.approvals.map(note("approval-not-understood", "Write required or not required.", false)),
      ...[...sourcesThatDiffer(read, written?.gate), ...(written === undefined ? read.differing : [])].map(
        note("gate-sources-differ", "Keep it in one place, or make both the same.", false),
      ),
    ],
  };
}

const sayIt = "Use words that a gate knows, or write a gate-definition.yaml.";
const changeOne = "Change or delete one of the requirements.";
const noRules = "a phase has no rules to check";

/** Finds requirements of one field that no value can satisfy together. */
function conflictsIn({ requirements }: Gate): Unclear[] {
  return requirements.flatMap((requirement) => {
    const message = findClash(requirement);
    return message === undefined ? [] : [{ line: requirement.source?.line ?? 1, message }];
  });
}

/** True if a gate would let anything pass. */
function requiresNothing({ requirements, comparisons, rulesHold, approval, checks, fresh }: Gate): boolean {
  const isAsked =
    requirements.some(({ required }) => required) || comparisons.length > 0 || (checks ?? fresh) !== undefined;
  return !isAsked && !rulesHold && !approval;
}

function editsOf({
  edits,
  editsSource,
}: Pick<Gate, "edits" | "editsSource"> = {}): Pick<Gate, "edits" | "editsSource"> {
  return { ...defined({ edits, editsSource }) };
}

function withDocument(gate: Gate, read: DocumentGate, blocks: readonly Block[]): Gate {
  return {
    ...gate,
    ...combinedApproval(gate, read.gate),
    examples: { ...examplesIn(blocks, gate.requirements), ...gate.examples },
  };
}

/** The complaint about a phase without requirements; it names what may have been meant as one. */
function nothingAsked({ path, line }: PhaseLocation, blocks: readonly Block[]): WorkflowProblem {
  const said = "the phase requires no evidence and no approval, so anything would pass";
  const own = blocks.filter(({ place }) => kindOfContext(place) !== "example");
  const items = own.filter((block) => block.kind === "item");
  const boxes = items.find(({ box }) => box);
  const table = own.find((block) => block.kind === "table");
  const unread = boxes ?? table ?? items[0];
  const what = boxes !== undefined ? "checkboxes" : table !== undefined ? "table" : "list";
  const at = unread?.kind === "table" ? unread.table.position?.start.line : unread?.lines[0]?.line;
  const under = unread?.place.label || unread?.place.headings.at(-1) || "the phase";
  const message = unread === undefined ? said : `${said}; the ${what} under "${under}" cannot be read as a gate`;
  const fix = "Require evidence with a table, checkboxes under a gate heading, or a gate-definition.yaml.";
  return workflowProblem("phase-without-requirement", path, message, fix, { line: at ?? line });
}
