import { findGaps, type Gate, type Observations } from "./gate.ts";
import type { JsonObject } from "./json.ts";

/** One thing that evidence lacks: which field, in what way, and in words. */
export type Gap = { readonly field: string; readonly kind: GapKind; readonly text: string };

export type GapKind = "required" | "wrong_type" | "validation_failed" | "validation_error";

export function listGaps(gate: Gate, evidence: JsonObject, observed: Observations): Gap[] {
  return findGaps(gate, evidence, observed).map((text) => ({ field: text, kind: "required", text }));
}
