import { type EvidenceType, evidenceTypes } from "./gate.ts";

/** Everything known about one evidence type; a new type is one entry, and the compiler names what else must change. */
export type TypeEntry = {
  /** Its names in gate files and table columns. */
  readonly names: readonly string[];
  /** Its names in sentences, one or two words each. */
  readonly words: readonly string[];
  /** Last words of field names that imply it, such as `test_count`. */
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

/** The type a gate file's word names, in any spelling authors use. */
export function evidenceTypeOf(written: unknown): EvidenceType | undefined {
  return typeof written === "string" ? byName.get(written.trim().toLowerCase()) : undefined;
}

const byName: ReadonlyMap<string, EvidenceType> = new Map(
  evidenceTypes.flatMap((type) => typeVocabulary[type].names.map((name) => [name, type] as const)),
);
