import type { EvidenceRule } from "./gate.ts";

/** The rules, or why they cannot be made. */
export type MadeRules = readonly EvidenceRule[] | { readonly unusable: string };
