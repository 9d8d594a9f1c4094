import type { Approval } from "./approval.ts";
import type { Check } from "./check.ts";
import { fieldsOf, judgeComparison } from "./evidence-comparison.ts";
import { findFieldGaps, gapOf, isUnusable } from "./evidence-gap.ts";
import { findHints } from "./evidence-hint.ts";
import { submitted } from "./evidence-type.ts";
import type { Json, JsonObject } from "./json.ts";
import { type Problem, problemText } from "./problem.ts";

export { requiredFormat } from "./gate-format.ts";
export { describeRule } from "./vocabulary.ts";

/** One piece of evidence that a gate asks for. */
export type Requirement = {
  readonly field: string;
  readonly type: EvidenceType;
  readonly required: boolean;
  readonly description: string;
  /** What must be true of the value besides its type; all of them. */
  readonly rules: readonly EvidenceRule[];
  /**
   * A text or list with nothing to see in it is no evidence, unless the author says that it may be empty.
   * Left out in gates that were kept when only texts had to hold something: their lists may be empty.
   */
  readonly mayBeEmpty?: boolean;
  /** Where the demand is written. */
  readonly source?: Source;
};

/** A line of a definition. */
export type Source = { readonly file: string; readonly line: number };

export type EvidenceType = "boolean" | "integer" | "number" | "string" | "list" | "object";

/** What a value must be: data, never code. A length counts characters, items or keys. */
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
  /** These need a look from outside the core: their result is handed in. */
  readonly matches: { readonly pattern: string; readonly flags: string };
  readonly file_exists: object;
  readonly directory_exists: object;
};

export type RuleKind = keyof Rules;

/** A rule of some kinds. */
export type RuleOf<Kind extends RuleKind> = { readonly [One in Kind]: { readonly kind: One } & Rules[One] }[Kind];

/** Any rule; `vocabulary.ts` says everything that is known of each. */
export type EvidenceRule = RuleOf<RuleKind>;

/** Two values that must stand in a relation. */
export type Comparison = {
  readonly left: Operand;
  readonly is: "at_least" | "more_than" | "at_most" | "less_than" | "equal_to" | "different_from";
  readonly right: Operand;
  readonly message: string;
  readonly source?: Source;
};

/** A field's value or length, of this evidence or of what an earlier step put on record; a value; a sum. */
export type Operand =
  | { readonly field: string; readonly step?: number }
  | { readonly lengthOf: string; readonly step?: number }
  | { readonly value: Json }
  | { readonly sum: readonly Operand[] };

/** What must hold before a step counts as done. A gate that cannot be read stays closed. */
export type Gate = {
  readonly requirements: readonly Requirement[];
  /** Demands on several fields at once. */
  readonly comparisons: readonly Comparison[];
  /** Evidence as the documents show it: what a refusal gives as an example. */
  readonly examples: JsonObject;
  /** No rule of severity error may be broken by the content on record. */
  readonly rulesHold: boolean;
  /** A person must agree, even where the step would go on by itself. */
  readonly approval: boolean;
  /** What that takes, where its author says more of it than that it is required. */
  readonly approvalNeeds?: Approval;
  /** Where that is written. */
  readonly approvalSource?: Source;
  /** What Waymark finds out by itself. */
  readonly checks?: readonly Check[];
  /** Checks of earlier steps that must hold on the files as they are now. */
  readonly fresh?: readonly string[];
  /** Where that is written. */
  readonly freshSource?: Source;
  /** What may be changed while the step is open, as globs: no demand, but what hosts and the completion go by. */
  readonly edits?: readonly string[];
  /** Where that is written. */
  readonly editsSource?: Source;
  readonly closed?: Problem;
};

/** A gate that nothing opens, with the reason for its author. */
export function closedGate(closed: Problem): Gate {
  return { requirements: [], comparisons: [], examples: {}, rulesHold: false, approval: false, closed };
}

/** Whether a gate asks for anything at all; where every field may be left out, empty evidence would pass. */
export function isAsking({ requirements, rulesHold, approval, checks, fresh }: Gate): boolean {
  return (
    requirements.some(({ required }) => required) ||
    rulesHold ||
    approval ||
    checks !== undefined ||
    fresh !== undefined
  );
}

/** What the server itself found out about evidence: a complaint or null, by field and kind of rule (`field:kind`). What was not looked at is not proved. */
export type Observations = ReadonlyMap<string, string | null>;

/** What completed steps put on record, by the number of the step. */
export type Earlier = ReadonlyMap<number, JsonObject>;

/** One thing that evidence lacks, as data; `text` is how it is said. */
export type Gap = {
  /** The field, or the fields of a comparison; "gate" where that cannot be read. */
  readonly field: string;
  readonly kind: "required" | "wrong_type" | "validation_failed" | "validation_error";
  readonly text: string;
};

/** What `listGaps` says, in words alone. */
export function findGaps(gate: Gate, evidence: JsonObject, observed?: Observations, earlier?: Earlier): string[] {
  return listGaps(gate, evidence, observed, earlier).map(({ text }) => text);
}

/**
 * Lists everything the evidence lacks, all at once; an empty list opens the gate.
 * A comparison whose field is already listed is not judged as well; one whose fields are optional and all left out does not
 * apply; one that has only some of its fields cannot be proved.
 */
export function listGaps(
  gate: Gate,
  evidence: JsonObject,
  observed: Observations = new Map(),
  earlier: Earlier = new Map(),
): Gap[] {
  if (gate.closed !== undefined)
    return [gapOf("gate", "validation_error", `it cannot be read: ${problemText(gate.closed)}`)];
  const { requirements, comparisons } = gate;
  const asked = new Set(requirements.map(({ field }) => field));
  const missing = requirements.filter(({ field, required }) => required && submitted(evidence, field) === null);
  const spare = missing.length === 0 ? [] : Object.keys(evidence).filter((name) => !asked.has(name));
  const hints = findHints(
    missing.map(({ field }) => field),
    spare,
  );
  const unusable = requirements.filter((requirement) => isUnusable(requirement, evidence));
  const reported = new Set(unusable.map(({ field }) => field));
  return [
    ...requirements.flatMap((requirement) => findFieldGaps(requirement, evidence, observed, hints)),
    ...comparisons.flatMap((comparison) => findComparisonGap(comparison, evidence, asked, reported, earlier)),
  ];
}

function findComparisonGap(
  comparison: Comparison,
  evidence: JsonObject,
  asked: ReadonlySet<string>,
  reported: ReadonlySet<string>,
  earlier: Earlier,
): Gap[] {
  const fields = fieldsOf(comparison);
  if (fields.some((field) => reported.has(field))) return [];
  const absent = fields.filter((field) => submitted(evidence, field) === null);
  if (absent.length === fields.length && absent.every((field) => asked.has(field)) && fields.length > 0) return [];
  const about = fields.length === 0 ? "evidence" : fields.join(", ");
  if (absent.length > 0) return [gapOf(about, "validation_error", `${absent.join(", ")} must be there as well`)];
  const verdict = judgeComparison(comparison, evidence, earlier);
  if (verdict === null) return [];
  if ("failed" in verdict) return [gapOf(about, "validation_failed", verdict.failed)];
  return [gapOf(about, "validation_error", verdict.unchecked)];
}

/** Whether a gate asks for something that only a look outside the core can tell. */
export function looksOutside(gate: Gate): boolean {
  return gate.requirements.some(({ rules }) => rules.some(isOutside));
}

/** A rule whose result is handed in from outside the core. */
export type OutsideRule = RuleOf<"matches" | "file_exists" | "directory_exists">;

/** Tells whether a rule needs a look from outside the core. */
export function isOutside(rule: EvidenceRule): rule is OutsideRule {
  return rule.kind === "matches" || rule.kind === "file_exists" || rule.kind === "directory_exists";
}
