import type { Gate, Requirement } from "../../../gates/gate.ts";
import type { Unclear } from "./demand.ts";
import type { DocumentGate } from "./document-gate.ts";

/** Finds where the sources of one phase ask for different things: the one that counts, and those it outranks. */
export function sourcesThatDiffer({ tables, loose }: DocumentGate, written: Gate | undefined): Unclear[] {
  if (written?.closed !== undefined) return [];
  const sources = [
    ...(written === undefined ? [] : [{ name: "the gate file", requirements: written.requirements }]),
    { name: "the evidence table", requirements: tables },
    { name: "the checkboxes and prose", requirements: loose },
  ].filter(({ requirements }) => requirements.length > 0);
  const [first, ...others] = sources;
  if (first === undefined) return [];
  return others.flatMap((other) => differences(first, other));
}

/** What is asked for in one place. */
export type Source = { readonly name: string; readonly requirements: readonly Requirement[] };

/** What one place asks for and another, which counts, does not, or in another type. */
export function differences(counts: Source, other: Source): Unclear[] {
  const known = new Map(counts.requirements.map(({ field, type }) => [field, type]));
  return other.requirements.flatMap(({ field, type, source }) => {
    const counted = known.get(field);
    const message =
      counted === undefined
        ? `${field} is in ${other.name} but not in ${counts.name}, which takes precedence`
        : `${field} is ${type} in ${other.name} but ${counted} in ${counts.name}, which takes precedence`;
    return counted === type ? [] : [{ line: source?.line ?? 1, message }];
  });
}
