import type { EvidenceType } from "./gate.ts";

/** Everything that is known of one type of evidence. A new type is one entry here, and the compiler names what else must change. */
export type TypeEntry = {
  /** What it is called in gate files and in columns of tables. */
  readonly names: readonly string[];
  /** What it is called in sentences, one or two words each. */
  readonly words: readonly string[];
  /** The last words of names that tell it by themselves: `test_count`. */
  readonly endings: readonly string[];
};

/** The vocabulary of types. */
export const typeVocabulary: { readonly [Type in EvidenceType]: TypeEntry } = {
  boolean: {
    names: ["boolean", "bool"],
    words: ["boolean", "bool", "flag", "true/false", "whether"],
    endings: ["flag"],
  },
  integer: {
    names: ["integer", "int"],
    words: ["integer", "int", "count", "quantity", "whole number", "number of", "how many"],
    endings: ["count", "total"],
  },
  number: {
    names: ["number", "float", "double"],
    words: ["number", "float", "decimal", "percentage", "percent", "in percent", "ratio", "share"],
    endings: ["percent", "percentage", "ratio"],
  },
  string: {
    names: ["string", "str", "text"],
    words: ["string", "str", "text", "output", "command", "path", "directory", "folder"],
    endings: ["output", "text", "path"],
  },
  list: { names: ["list", "array", "tuple"], words: ["list", "array", "collection"], endings: ["list"] },
  object: { names: ["object", "dict", "dictionary"], words: ["object", "dict", "dictionary", "mapping"], endings: [] },
};

/** The type that a word names in a gate file, in any of the spellings that authors use. */
export function evidenceTypeOf(written: unknown): EvidenceType | undefined {
  return typeof written === "string" ? byName.get(written.trim().toLowerCase()) : undefined;
}

/** The types, in the order of the table. */
export const evidenceTypes: readonly EvidenceType[] = ["boolean", "integer", "number", "string", "list", "object"];

const byName: ReadonlyMap<string, EvidenceType> = new Map(
  evidenceTypes.flatMap((type) => typeVocabulary[type].names.map((name) => [name, type] as const)),
);
