import type { Comparison, EvidenceRule, EvidenceType, Requirement } from "../../../gates/gate.ts";

/** One piece of evidence as one place of a document asks for it. */
export type Demand = {
  readonly field: string;
  readonly type: EvidenceType;
  readonly required: boolean;
  readonly description: string;
  readonly rules: readonly EvidenceRule[];
  readonly mayBeEmpty: boolean;
  readonly line: number;
  /** It is a box: another of the same name is another demand. */
  readonly isBox?: true;
  /** It is a row of a table: a second one of its name adds to it, and its author is told. */
  readonly isRow?: true;
};

/** What was read out of a part of a document. */
export type Demands = {
  readonly demands: readonly Demand[];
  /** Fields that stand in a relation to another one of the gate. */
  readonly relations: readonly Relation[];
  /** What asks and is not understood: it closes the gate. */
  readonly unclear: readonly Unclear[];
  /** What asks for evidence and does not name it, or is said in two ways: findings. */
  readonly nameless: readonly Unclear[];
};

/** What a field must be, compared with another. */
export type Relation = Pick<Comparison, "is"> & Pick<Demand, "field" | "line"> & { readonly other: string };

/** A place that is not understood, in words for its author only. */
export type Unclear = { readonly line: number; readonly message: string };

/** Several readings as one. */
export function gather(readings: readonly Demands[]): Demands {
  return {
    demands: readings.flatMap(({ demands }) => demands),
    relations: readings.flatMap(({ relations }) => relations),
    unclear: readings.flatMap(({ unclear }) => unclear),
    nameless: readings.flatMap(({ nameless }) => nameless),
  };
}

/** Nothing asked for. */
export const noDemands: Demands = { demands: [], relations: [], unclear: [], nameless: [] };

/** A finding alone. */
export function nameless(line: number, message: string): Demands {
  return { ...noDemands, nameless: [{ line, message }] };
}

/** A closed gate alone. */
export function unclear(line: number, message: string): Demands {
  return { ...noDemands, unclear: [{ line, message }] };
}

/** Tells whether anything is asked, closed or found. */
export function isAsking({ demands, unclear, nameless }: Demands): boolean {
  return demands.length + unclear.length + nameless.length > 0;
}

/** Requirements as the engine wants them, from demands. */
export function asRequirements(demands: readonly Demand[], file: string): Requirement[] {
  return demands.map(({ mayBeEmpty, line, isBox: _, isRow: __, ...asked }) => ({
    ...asked,
    ...(mayBeEmpty || asked.type === "list" ? { mayBeEmpty } : {}),
    source: { file, line },
  }));
}
