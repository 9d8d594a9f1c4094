import type { JsonObject } from "./json.ts";

/** One rule that a workflow's content should keep, with what to do and what not. */
export type Rule = {
  readonly name: string;
  readonly description: string;
  /** What else its author says of it. */
  readonly notes?: readonly string[];
  readonly file: string;
  readonly examples: readonly RuleExample[];
  readonly checks: readonly RuleCheck[];
};

export type RuleExample = { readonly do?: string; readonly dont?: string };

/** The part of a rule that a machine can check. Without a glob it looks at the workflow's own files only. */
export type RuleCheck = {
  readonly glob?: string;
  /** Finding no file to look at counts as broken: what a rule is about must be there. */
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
  /** It cannot be understood; it then counts as broken, so that nothing passes unseen. */
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
