import type { EvidenceRule, EvidenceType } from "../../../workflow/gate.ts";
import { findPatternProblem } from "../../rules/pattern-problem.ts";
import { existenceRules } from "./existence-words.ts";
import { formatIn } from "./format-words.ts";
import { lengthRules } from "./length-rules.ts";
import type { Relation } from "./limit-words.ts";
import { bareNumber, isValueLike, mustClauses } from "./lost-rules.ts";
import { leavesOpen } from "./option-words.ts";
import { patternIn } from "./pattern-words.ts";
import { type Relations, relationsIn } from "./relations.ts";
import { choicesIn, edgesIn, quotedAfter, valueIn } from "./values.ts";

/** What the words about a field demand of its value besides its type. */
export type RuleRead = {
  readonly rules: readonly EvidenceRule[];
  readonly required: boolean;
  readonly mayBeEmpty: boolean;
  /** Words that are a rule and cannot be understood. */
  readonly unclear?: string;
};

/** Reads rules out of words: "at least 3", "between 1 and 5", "non-empty", "one of", "must be false", "optional". */
export function readRules(text: string, type: EvidenceType, field = ""): RuleRead {
  const words = text.replaceAll(/\s+/g, " ");
  const read = plainRules(words, type, field);
  if (read.unclear !== undefined || type === "boolean") return read;
  const isLost = (clause: string): boolean => {
    const { rules, required, mayBeEmpty } = plainRules(clause, type, field);
    return rules.length === 0 && required && !mayBeEmpty;
  };
  const lost = mustClauses(words).find((clause) => isValueLike(clause) && isLost(clause));
  if (lost !== undefined) return { ...read, unclear: `"${lost.trim()}" is not understood` };
  const bare = bareNumber(words, type);
  if (bare === undefined || read.rules.length > 0) return read;
  const isShare =
    bare.includes("%") && !/err|fail|defect|flak|loss|lost|miss|dup|churn|latency|overhead|drop/i.test(field);
  if (isShare) return { ...read, rules: [{ kind: "at_least", limit: Number.parseFloat(bare) }] };
  return { ...read, unclear: `"${bare}" may mean at least, at most or exactly` };
}

function plainRules(text: string, type: EvidenceType, field: string): RuleRead {
  const matched = patternIn(text);
  const pattern = type === "string" ? matched.pattern : undefined;
  const words = matched.rest;
  const choices = type === "boolean" ? undefined : choicesIn(words, type);
  const found: Relations = choices === undefined ? relationsIn(words) : { relations: [], isFractional: false };
  const compared = comparedRules(found.relations, type);
  const formats = type === "string" && pattern === undefined ? formatIn(words) : [];
  const value = type === "string" && choices === undefined && pattern === undefined ? valueIn(words) : undefined;
  const unclear =
    (pattern === undefined ? undefined : findPatternProblem(pattern)) ??
    (choices === "unclear" ? "the values to choose from are not understood" : undefined) ??
    (compared === undefined ? `there is no rule for what "${words.trim()}" asks for` : undefined) ??
    unclearIn(found, type, words);
  return {
    rules: distinct([
      ...(Array.isArray(choices) ? [{ kind: "one_of", values: choices } as const] : []),
      ...(formats.length > 0 ? formats : (compared ?? [])),
      ...(value === undefined ? [] : [{ kind: "equals", value } as const]),
      ...emptinessRules(words, type),
      ...truthRules(words, type),
      ...(type === "string" || type === "list"
        ? quotedAfter(words).map((quoted) => ({ kind: "contains", text: quoted }) as const)
        : []),
      ...existenceRules(words, type, field),
      ...(type === "string" ? edgesIn(words) : []),
      ...(pattern === undefined ? [] : [{ kind: "matches", pattern, flags: "" } as const]),
    ]),
    required: !leavesOpen(words) && !/\brequired:? (?:no|false)\b/i.test(words),
    mayBeEmpty:
      /\b(?:may|can|could|might) be (?:empty|blank)\b|\bempty (?:is )?(?:allowed|ok|fine|permitted)\b|\bpossibly empty\b/i.test(
        words,
      ),
    ...(unclear === undefined ? {} : { unclear }),
  };
}

/** The rules that limits come to; undefined where there is none for one of them. */
function comparedRules(relations: readonly Relation[], type: EvidenceType): EvidenceRule[] | undefined {
  if (type === "boolean") return [];
  const read = relations.map((relation) =>
    type === "integer" || type === "number" ? [numberRule(relation)] : lengthRules(relation, type),
  );
  return read.every((rules) => rules !== undefined) ? read.flat() : undefined;
}

function numberRule({ kind, limit }: Relation): EvidenceRule {
  if (kind === "exactly") return { kind: "equals", value: limit };
  return kind === "other_than" ? { kind: "differs_from", value: limit } : { kind, limit };
}

/** In the words about a text, "more than" is often just a way to speak; about a number or a list it is a rule. */
function unclearIn({ unclear, doubtful }: Relations, type: EvidenceType, words: string): string | undefined {
  const isOfSize = /\b(?:characters?|chars?|words?|lines?|letters?|long|length)\b/i.test(words);
  if (type === "boolean" || (type === "string" && !(doubtful !== undefined && isOfSize))) return undefined;
  if (doubtful !== undefined) return `"${doubtful}" says no to a limit in a way that is not understood`;
  return unclear === undefined ? undefined : `"${unclear}" is not followed by a number (in "${words.trim()}")`;
}

function emptinessRules(words: string, type: EvidenceType): EvidenceRule[] {
  const isSized = type === "string" || type === "list" || type === "object";
  const nonEmpty =
    /\bnon-? ?empty\b|(?:\b(?:not|never|cannot)|n['’]t) (?:be )?(?:left )?(?:empty|blank)\b|\bmust (?:contain|include)\b|\bnever empty\b/i.test(
      words,
    );
  const nonZero = /\bnon-? ?zero\b|(?<!\bnon-? ?|\b(?:or|true|false) )\bpositive\b/i.test(words);
  if (isSized) return nonEmpty || nonZero ? [{ kind: "length_at_least", limit: 1 }] : [];
  if (type === "boolean") return [];
  const nonNegative = /\bnon-? ?negative\b|\bnot (?:be )?negative\b/i.test(words);
  return [
    ...(nonZero ? [{ kind: "more_than", limit: 0 } as const] : []),
    ...(nonNegative ? [{ kind: "at_least", limit: 0 } as const] : []),
  ];
}

function truthRules(words: string, type: EvidenceType): EvidenceRule[] {
  if (type !== "boolean") return [];
  if (
    /\b(?:may|can|might|could) (?:also )?be (?:false|either)\b|\bmay be true or false\b|\beither true or false\b|\b(?:either|both|any) (?:values?|answers?|way) (?:is |are )?(?:accepted|allowed|ok|okay|fine|valid|acceptable|possible)\b|\bfalse is (?:also )?(?:allowed|ok|okay|fine|acceptable|valid)\b/i.test(
      words,
    )
  )
    return [{ kind: "one_of", values: [true, false] }];
  const [, value = ""] =
    /\b(?:must|should|has to|needs to) (?:always )?(?:be|equal|stay|remain) (true|false)\b|(?:^|[\s(,;:=])=?=?\s*(?:is|always|equals) (true|false)\b|(?:^|[(,;:=–—]|\s-)\s*(true|false)\s*(?=$|[,;.)])/i
      .exec(words)
      ?.filter((part) => part !== undefined) ?? [];
  return value === "" ? [] : [{ kind: "equals", value: value.toLowerCase() === "true" }];
}

function distinct(rules: readonly EvidenceRule[]): EvidenceRule[] {
  const seen = new Map<string, EvidenceRule>();
  for (const rule of rules) seen.set(JSON.stringify(rule), rule);
  const kept = [...seen.values()];
  // "non-empty, at least 3": the stronger says it all.
  const longest = Math.max(...kept.map((rule) => (rule.kind === "length_at_least" ? rule.limit : 0)), 0);
  return kept.filter((rule) => rule.kind !== "length_at_least" || rule.limit === longest);
}
