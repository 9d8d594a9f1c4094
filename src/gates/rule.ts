import type { JsonObject } from "../kit/json.ts";

/** One rule for a workflow's content, with examples. */
export type Rule = {
  readonly name: string;
  readonly description: string;
  /** The author's other notes. */
  readonly notes?: readonly string[];
  readonly file: string;
  readonly examples: readonly RuleExample[];
  readonly checks: readonly RuleCheck[];
};

export type RuleExample = { readonly do?: string; readonly dont?: string };

/** The machine-checked part of a rule; without a glob it covers only the workflow's own files. */
export type RuleCheck = {
  readonly glob?: string;
  /** Counts as broken if no file is found. */
  readonly required?: true;
  readonly severity: "error" | "warning";
  readonly message: string;
} & (
  | { readonly kind: "must_match"; readonly pattern: string; readonly flags: string }
  | { readonly kind: "must_not_match"; readonly pattern: string; readonly flags: string }
  | { readonly kind: "required_headings"; readonly headings: readonly string[] }
  | { readonly kind: "forbidden_words"; readonly words: readonly string[] }
  | { readonly kind: "max_length"; readonly unit: "lines" | "words" | "characters"; readonly limit: number }
  | { readonly kind: "json_schema"; readonly schema: JsonObject }
  /** It cannot be understood and counts as broken, so that nothing passes unchecked. */
  | { readonly kind: "unusable"; readonly reason: string /** The key at fault. */; readonly key?: string }
);

/** A rule that the content on record breaks. */
export type Violation = {
  readonly rule: string;
  readonly severity: "error" | "warning";
  readonly file: string;
  readonly line?: number;
  readonly message: string;
};
