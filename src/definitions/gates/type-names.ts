import type { EvidenceType } from "../../workflow/gate.ts";

/** The type that a word names, in any of the spellings that authors use. */
export function evidenceTypeOf(written: unknown): EvidenceType | undefined {
  return typeof written === "string" ? spellings.get(written.trim().toLowerCase()) : undefined;
}

const spellings: ReadonlyMap<string, EvidenceType> = new Map([
  ...(["boolean", "bool"] as const).map((word) => [word, "boolean"] as const),
  ...(["integer", "int"] as const).map((word) => [word, "integer"] as const),
  ...(["number", "float", "double"] as const).map((word) => [word, "number"] as const),
  ...(["string", "str"] as const).map((word) => [word, "string"] as const),
  ...(["list", "array", "tuple"] as const).map((word) => [word, "list"] as const),
  ...(["object", "dict", "dictionary"] as const).map((word) => [word, "object"] as const),
]);
