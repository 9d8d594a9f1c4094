import { type Gate, isAsking } from "../../evidence/gate.ts";
import { approvalOf } from "../../evidence/gate-sum.ts";
import { findClash } from "../../evidence/rule-clash.ts";
import { type Complaint, type ComplaintCode, complaint } from "./complaint.ts";
import type { Demands, Unclear } from "./demands/demand.ts";
import { type DocumentGate, documentGate } from "./demands/document-gate.ts";
import { examplesIn } from "./demands/examples.ts";
import { sourcesThatDiffer } from "./demands/sources-differ.ts";
import type { Block } from "./markdown/blocks.ts";
import { kindOfPlace } from "./markdown/places.ts";

/** Where a phase's Markdown stands, on disk and as a reader of a message wants it. */
export type PhasePlace = { readonly path: string; readonly file: string; readonly line: number };

/** A phase's gate, and what is wrong with it. */
export type PhaseGate = {
  readonly gate: Gate;
  readonly complaints: readonly Complaint[];
  /** What is the whole gate, so that other places ask for nothing beside it. */
  readonly whole?: "the gate file" | "the evidence table";
};

/** Decides what a phase's gate asks for: its gate file, else its Markdown; and what is wrong with that. */
export function phaseGate(
  blocks: readonly Block[],
  place: PhasePlace,
  file?: { readonly gate: Gate; readonly path: string },
  besides?: Demands,
): PhaseGate {
  // A gate file that only says what may be edited leaves the asking to the Markdown.
  const isSilent = file?.gate.edits !== undefined && file.gate.closed === undefined && !isAsking(file.gate);
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
    (code: ComplaintCode, fix: string, closes: boolean) =>
    ({ line, message }: Unclear): Complaint =>
      complaint(code, place.path, message, fix, { line, closes });
  const nothing = asksNothing(gate) && isOpen && unclear.length === 0;
  return {
    gate,
    ...(whole === undefined ? {} : { whole }),
    complaints: [
      ...(isOpen
        ? []
        : [complaint("closed-gate", path, closed.message, "Mend the gate file.", { line: closed.line ?? 1 })]),
      ...unclear.map(note("requirement-not-understood", sayIt, true)),
      ...(written === undefined ? clashesIn(gate) : []).map(note("unsatisfiable-rule", changeOne, true)),
      // Rules belong to a bot's behaviors: a phase that asks for them asks for what nobody can check.
      ...(gate.rulesHold && isOpen
        ? [complaint("requirement-not-understood", path, noRules, "Take checks: [rules] out.")]
        : []),
      ...(nothing ? [nothingAsked(place, blocks)] : []),
      ...(written === undefined ? read.nameless : []).map(
        note("demand-without-field", "Name the field in backticks, in the gate, and say there what it must be.", false),
      ),
      ...read.approvals.map(note("approval-not-understood", "Write required or not required.", false)),
      ...[...sourcesThatDiffer(read, written?.gate), ...(written === undefined ? read.differing : [])].map(
        note("gate-sources-differ", "Say it in one place, or the same in both.", false),
      ),
    ],
  };
}

const sayIt = "Say it in words that a gate knows, or write a gate-definition.yaml.";
const changeOne = "Change one of the demands, or delete it.";
const noRules = "a phase has no rules to check";

/** What is asked of one field, in one place or in several, and no value can keep. */
function clashesIn({ requirements }: Gate): Unclear[] {
  return requirements.flatMap((requirement) => {
    const message = findClash(requirement);
    return message === undefined ? [] : [{ line: requirement.source?.line ?? 1, message }];
  });
}

/** Tells whether a gate would let anything pass. */
function asksNothing({ requirements, comparisons, rulesHold, approval, checks, fresh }: Gate): boolean {
  const isAsked =
    requirements.some(({ required }) => required) || comparisons.length > 0 || (checks ?? fresh) !== undefined;
  return !isAsked && !rulesHold && !approval;
}

function editsOf({
  edits,
  editsSource,
}: Pick<Gate, "edits" | "editsSource"> = {}): Pick<Gate, "edits" | "editsSource"> {
  return { ...(edits === undefined ? {} : { edits }), ...(editsSource === undefined ? {} : { editsSource }) };
}

function withDocument(gate: Gate, read: DocumentGate, blocks: readonly Block[]): Gate {
  return {
    ...gate,
    ...approvalOf(gate, read.gate),
    examples: { ...examplesIn(blocks, gate.requirements), ...gate.examples },
  };
}

/** Names what may have been meant: the first checkboxes, else a table, else a list. */
function nothingAsked({ path, line }: PhasePlace, blocks: readonly Block[]): Complaint {
  const said = "the phase asks for no evidence and no approval, so anybody could pass it";
  const own = blocks.filter(({ place }) => kindOfPlace(place) !== "example");
  const items = own.filter((block) => block.kind === "item");
  const boxes = items.find(({ box }) => box);
  const table = own.find((block) => block.kind === "table");
  const unread = boxes ?? table ?? items[0];
  const what = boxes !== undefined ? "checkboxes" : table !== undefined ? "table" : "list";
  const at = unread?.kind === "table" ? unread.table.position?.start.line : unread?.lines[0]?.line;
  const under = unread?.place.label || unread?.place.headings.at(-1) || "the phase";
  const message = unread === undefined ? said : `${said}; the ${what} under "${under}" cannot be read as a gate`;
  const fix = "Ask for evidence: a table, checkboxes under a gate heading, or a gate-definition.yaml.";
  return complaint("phase-without-requirement", path, message, fix, { line: at ?? line });
}
