import type { JsonObject } from "./json.ts";
import type { Problem } from "./workflow.ts";

/** One piece of evidence that a gate asks for. */
export type Requirement = {
  readonly field: string;
  readonly type: EvidenceType;
  readonly required: boolean;
  readonly description: string;
};

export const evidenceTypes = ["boolean", "integer", "number", "string", "list", "object"] as const;
export type EvidenceType = (typeof evidenceTypes)[number];

/** What must hold before a step counts as done. A gate that cannot be read stays closed. */
export type Gate = {
  readonly requirements: readonly Requirement[];
  /** No rule of severity error may be broken by the content on record. */
  readonly rulesHold: boolean;
  /** A person must agree, even where the step would go on by itself. */
  readonly approval: boolean;
  readonly closed?: Problem;
};

/** Lists everything the evidence lacks, all at once; an empty list opens the gate. */
export function findGaps(gate: Gate, evidence: JsonObject): string[] {
  return gate.requirements.flatMap((requirement) => findGap(requirement, evidence));
}

function findGap({ field, type, required, description }: Requirement, evidence: JsonObject): string[] {
  const value = Object.hasOwn(evidence, field) ? evidence[field] : null;
  if (value === null || value === undefined) return required ? [`${field} (required: ${description})`] : [];
  const found = typeOf(value);
  if (found !== type && !(type === "number" && found === "integer")) {
    return [`${field} (wrong type: expected ${type}, got ${found})`];
  }
  if (type === "boolean" && required && value !== true) return [`${field} (validation failed: must be true)`];
  return [];
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return "list";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}
