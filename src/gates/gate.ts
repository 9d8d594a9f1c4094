import type { Json, JsonObject } from "../kit/json.ts";
import type { ApprovalRule } from "./approval-rule.ts";
import type { Check } from "./check.ts";
import type { ComparisonSign } from "./condition.ts";
import type { Problem } from "./problem.ts";
import type { Routing } from "./route.ts";
import type { Source } from "./source.ts";

/** One piece of evidence that a gate requires. */
export type Requirement = {
  readonly field: string;
  readonly type: EvidenceType;
  readonly required: boolean;
  readonly description: string;
  /** The rules the value must satisfy besides its type. */
  readonly rules: readonly EvidenceRule[];
  /** An empty text or list is no evidence unless this is true. Left out in older gates, where lists may be empty. */
  readonly mayBeEmpty?: boolean;
  /** False if no rule decides it: its author's words are the requirement, and any value with something in it satisfies them. */
  readonly checked?: false;
  /** The source line. */
  readonly source?: Source;
};

/** The types of evidence. */
export const evidenceTypes = [
  "boolean",
  "integer",
  "number",
  "string",
  "list",
  "object",
  "file",
  "url",
  "date",
  "any",
] as const;
export type EvidenceType = (typeof evidenceTypes)[number];

/** The kinds of rule with their data; a length counts characters, items or keys. */
type Rules = {
  readonly [Kind in "at_least" | "more_than" | "at_most" | "less_than"]: { readonly limit: number };
} & {
  readonly [Kind in "length_at_least" | "length_at_most"]: { readonly limit: number };
} & {
  readonly [Kind in "equals" | "differs_from"]: { readonly value: Json };
} & {
  readonly one_of: { readonly values: readonly Json[] };
  readonly contains: { readonly text: string };
  readonly lacks: { readonly text: string };
  /** These need a look outside the core; the result is passed in. */
  readonly matches: { readonly pattern: string; readonly flags: string };
  readonly file_exists: object;
  readonly directory_exists: object;
};

export type RuleKind = keyof Rules;

/** A rule of certain kinds. */
export type RuleOf<Kind extends RuleKind> = { readonly [One in Kind]: { readonly kind: One } & Rules[One] }[Kind];

/** Any rule; `rule-vocabulary.ts` has everything known about each. */
export type EvidenceRule = RuleOf<RuleKind>;

/** A required relation between two values. */
export type Comparison = {
  readonly left: Operand;
  readonly is: ComparisonSign;
  readonly right: Operand;
  readonly message: string;
  readonly source?: Source;
};

/** A field's value or length, of this evidence or an earlier step's; a constant; a sum. */
export type Operand =
  | { readonly field: string; readonly step?: number }
  | { readonly lengthOf: string; readonly step?: number }
  | { readonly value: Json }
  | { readonly sum: readonly Operand[] };

/** The requirements before a step counts as done; a gate that cannot be read stays closed. */
export type Gate = {
  readonly requirements: readonly Requirement[];
  /** Requirements on several fields at once. */
  readonly comparisons: readonly Comparison[];
  /** Example evidence from the documents, shown in refusals. */
  readonly examples: JsonObject;
  /** The content on record must not break a rule of severity error. */
  readonly rulesHold: boolean;
  /** A person must approve, even if the step would continue by itself. */
  readonly approval: boolean;
  /** The details of the approval, if the author gave any. */
  readonly approvalNeeds?: ApprovalRule;
  /** The source of `approval`. */
  readonly approvalSource?: Source;
  /** The checks Waymark runs itself. */
  readonly checks?: readonly Check[];
  /** Checks of earlier steps that must hold on the current files. */
  readonly fresh?: readonly string[];
  /** The source of `fresh`. */
  readonly freshSource?: Source;
  /** True if it was read from prose. */
  readonly isFromProse?: true;
  /** Globs of what may be changed while the step is open; used by hosts and the completion. */
  readonly edits?: readonly string[];
  /** The source of `edits`. */
  readonly editsSource?: Source;
  /** The conditions and routes of its step. */
  readonly routing?: Routing;
  readonly closed?: Problem;
};

/** A gate that nothing opens, with the reason for its author. */
export function closedGate(closed: Problem): Gate {
  return { requirements: [], comparisons: [], examples: {}, rulesHold: false, approval: false, closed };
}

/** Tells if a gate requires anything; if every field is optional, empty evidence would pass. */
export function hasRequirements({ requirements, rulesHold, approval, checks, fresh }: Gate): boolean {
  return (
    requirements.some(({ required }) => required) ||
    rulesHold ||
    approval ||
    checks !== undefined ||
    fresh !== undefined
  );
}

/** Tells if a gate file says anything besides requirements; such a file alone leaves them to other sources. */
export function hasSettings({ edits, routing }: Pick<Gate, "edits" | "routing">): boolean {
  return edits !== undefined || routing !== undefined;
}

/** The server's own observations about evidence: a complaint or null by `field:kind`; what was not observed is not proved. */
export type Observations = ReadonlyMap<string, string | null>;

/** The recorded evidence of completed steps, by step number. */
export type Earlier = ReadonlyMap<number, JsonObject>;

/** One thing the evidence lacks, with its text. */
export type Gap = {
  /** The field or fields of a comparison; "gate" if the gate cannot be read. */
  readonly field: string;
  readonly kind: "required" | "wrong_type" | "validation_failed" | "validation_error";
  readonly text: string;
};

/** Tells if a gate needs a look outside the core. */
export function needsObservation(gate: Gate): boolean {
  return gate.requirements.some(({ rules }) => rules.some(isOutside));
}

/** A rule whose result comes from outside the core. */
export type OutsideRule = RuleOf<"matches" | "file_exists" | "directory_exists">;

/** Tells if a rule needs a look outside the core. */
export function isOutside(rule: EvidenceRule): rule is OutsideRule {
  return rule.kind === "matches" || rule.kind === "file_exists" || rule.kind === "directory_exists";
}
