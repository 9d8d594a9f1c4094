import { type EvidenceType, evidenceTypes } from "./gate.ts";

/** The names of each type in gate files, tables and prose; a new type is one entry, and the compiler names what else must change. */
const typeNames: { readonly [Type in EvidenceType]: readonly string[] } = {
  boolean: ["boolean", "bool"],
  integer: ["integer", "int"],
  number: ["number", "float", "double"],
  string: ["string", "str", "text"],
  list: ["list", "array", "tuple"],
  object: ["object", "dict", "dictionary"],
  file: ["file"],
  url: ["url"],
  date: ["date"],
  any: ["any"],
};

/** The type a gate file's word names, in any spelling authors use. */
export function evidenceTypeOf(written: unknown): EvidenceType | undefined {
  return typeof written === "string" ? byName.get(written.trim().toLowerCase()) : undefined;
}

const byName: ReadonlyMap<string, EvidenceType> = new Map(
  evidenceTypes.flatMap((type) => typeNames[type].map((name) => [name, type] as const)),
);
