import type { Comparison, EvidenceRule, EvidenceType } from "../../../workflow/gate.ts";

/** One piece of evidence as one place of a document asks for it. */
export type Demand = {
  readonly field: string;
  readonly type: EvidenceType;
  /** How sure the type is: written down, read out of the words, or taken for want of any word. */
  readonly certainty: "written" | "read" | "assumed";
  readonly required: boolean;
  readonly description: string;
  readonly rules: readonly EvidenceRule[];
  readonly mayBeEmpty: boolean;
  readonly line: number;
};

/** What was read out of a part of a document: demands, and what its words ask for that nobody can understand. */
export type Demands = {
  readonly demands: readonly Demand[];
  readonly comparisons: readonly (Comparison & { readonly line: number })[];
  readonly unclear: readonly Unclear[];
  /** Lines that ask for evidence and do not name it. */
  readonly nameless: readonly Unclear[];
};

/** A place that is not understood, in words for its author only. */
export type Unclear = { readonly line: number; readonly message: string };

/** Several readings as one. */
export function gather(readings: readonly Demands[]): Demands {
  return {
    demands: readings.flatMap(({ demands }) => demands),
    comparisons: readings.flatMap(({ comparisons }) => comparisons),
    unclear: readings.flatMap(({ unclear }) => unclear),
    nameless: readings.flatMap(({ nameless }) => nameless),
  };
}

/** Nothing asked for. */
export const noDemands: Demands = { demands: [], comparisons: [], unclear: [], nameless: [] };
