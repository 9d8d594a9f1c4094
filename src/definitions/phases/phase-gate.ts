import type { Gate } from "../../evidence/gate.ts";
import type { Complaint, ComplaintCode } from "./complaint.ts";
import type { Demands } from "./demands/demand.ts";
import { type DocumentGate, documentGate } from "./demands/document-gate.ts";
import { sourcesThatDiffer } from "./demands/sources-differ.ts";
import type { Block } from "./markdown/blocks.ts";
import { type UnreadPlace, unreadPlace } from "./markdown/unread-places.ts";

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
  written?: { readonly gate: Gate; readonly path: string },
  besides?: Demands,
): PhaseGate {
  const read = documentGate(blocks, place.file, besides);
  const gate = written === undefined ? read.gate : withDocument(written.gate, read);
  const complain = (code: ComplaintCode, line: number, message: string, fix: string, closes: boolean): Complaint => ({
    code,
    path: place.path,
    line,
    message,
    fix,
    closes,
  });
  const { closed } = gate;
  const whole = written !== undefined ? "the gate file" : read.tables.length > 0 ? "the evidence table" : undefined;
  return {
    gate,
    ...(whole === undefined ? {} : { whole }),
    complaints: [
      ...(closed === undefined
        ? []
        : [
            {
              ...complain("closed-gate", closed.line ?? 1, closed.message, "Mend the gate file.", true),
              path: written?.path ?? place.path,
            },
          ]),
      ...(written === undefined
        ? read.unclear.map(({ line, message }) =>
            complain(
              "requirement-not-understood",
              line,
              message,
              "Say it in words that a gate knows, or write a gate-definition.yaml.",
              true,
            ),
          )
        : []),
      // Rules belong to a bot's behaviors: a phase that asks for them asks for what nobody can check.
      ...(gate.rulesHold && closed === undefined
        ? [
            {
              ...complain(
                "requirement-not-understood",
                1,
                "a phase has no rules to check",
                "Take checks: [rules] out.",
                true,
              ),
              path: written?.path ?? place.path,
            },
          ]
        : []),
      ...(asksNothing(gate) && closed === undefined && (written !== undefined || read.unclear.length === 0)
        ? [nothingAsked(complain, place.line, unreadPlace(blocks))]
        : []),
      ...(written === undefined
        ? read.nameless.map(({ line, message }) =>
            complain("demand-without-field", line, message, "Name the field in backticks.", false),
          )
        : []),
      ...read.approvals
        .filter(({ isUnclear }) => isUnclear)
        .map(({ line }) =>
          complain(
            "approval-not-understood",
            line,
            "what is said about approval is not understood, so a person is asked",
            "Write required or not required.",
            false,
          ),
        ),
      ...[...sourcesThatDiffer(read, written?.gate), ...(written === undefined ? read.differing : [])].map(
        ({ line, message }) =>
          complain("gate-sources-differ", line, message, "Say it in one place, or the same in both.", false),
      ),
    ],
  };
}

/** Tells whether a gate would let anything pass. */
function asksNothing({ requirements, comparisons, rulesHold, approval }: Gate): boolean {
  const isAsked = requirements.some(({ required }) => required) || comparisons.length > 0;
  return !isAsked && !rulesHold && !approval;
}

function withDocument(gate: Gate, read: DocumentGate): Gate {
  const fields = new Set(gate.requirements.filter(({ required }) => required).map(({ field }) => field));
  const shown = Object.entries(read.examplesFor([...fields])).filter(([field]) => !Object.hasOwn(gate.examples, field));
  const { approvalSource } = gate.approval ? gate : read.gate;
  return {
    ...gate,
    approval: gate.approval || read.gate.approval,
    ...(approvalSource === undefined ? {} : { approvalSource }),
    examples: { ...gate.examples, ...Object.fromEntries(shown) },
  };
}

function nothingAsked(
  complain: (code: ComplaintCode, line: number, message: string, fix: string, closes: boolean) => Complaint,
  line: number,
  unread: UnreadPlace | undefined,
): Complaint {
  const message = "the phase asks for no evidence and no approval, so anybody could pass it";
  return complain(
    "phase-without-requirement",
    unread?.line ?? line,
    unread === undefined ? message : `${message}; ${unread.what} cannot be read as a gate`,
    "Ask for evidence: a table, checkboxes under a gate heading, or a gate-definition.yaml.",
    true,
  );
}
