import type { EvidenceRule, EvidenceType } from "../../workflow/gate.ts";
import { findPatternProblem } from "../rules/pattern-problem.ts";
import { bareNumber, isValueLike, mustClauses } from "./lost-rules.ts";
import { lengthRules, type Relation, relationsIn } from "./relations.ts";
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

function plainRules(words: string, type: EvidenceType, field: string): RuleRead {
  const choices = type === "boolean" ? undefined : choicesIn(words, type);
  const found = choices === undefined ? relationsIn(words) : { relations: [], unclear: undefined };
  const compared = comparedRules(found.relations, type);
  const unclear =
    choices === "unclear" ? "the values to choose from are not understood" : unclearIn(found, type, words);
  const pattern = patternIn(words, type);
  const badPattern = pattern === undefined ? undefined : findPatternProblem(pattern);
  const value = type === "string" && choices === undefined && pattern === undefined ? valueIn(words) : undefined;
  return {
    rules: distinct([
      ...(Array.isArray(choices) ? [{ kind: "one_of", values: choices } as const] : []),
      ...compared,
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
    required: !/\boptional\b|\bnot required\b|\brequired:? (?:no|false)\b/i.test(
      words.replaceAll(/\b(?:not|never|isn't) optional\b/gi, ""),
    ),
    mayBeEmpty:
      /\b(?:may|can|could|might) be (?:empty|blank)\b|\bempty (?:is )?(?:allowed|ok|fine|permitted)\b|\bpossibly empty\b/i.test(
        words,
      ),
    ...((badPattern ?? unclear) === undefined ? {} : { unclear: badPattern ?? unclear ?? "" }),
  };
}

function comparedRules(relations: readonly Relation[], type: EvidenceType): EvidenceRule[] {
  if (type === "integer" || type === "number")
    return relations.map(({ kind, limit }) =>
      kind === "exactly" ? { kind: "equals", value: limit } : { kind, limit },
    );
  if (type === "boolean") return [];
  return relations.flatMap((relation) => lengthRules(relation, type));
}

/** In the words about a text, "more than" is often just a way to speak; about a number or a list it is a rule. */
function unclearIn(
  { unclear }: { readonly unclear?: string | undefined },
  type: EvidenceType,
  words: string,
): string | undefined {
  if (type === "string" || type === "boolean") return undefined;
  return unclear === undefined ? undefined : `"${unclear}" is not followed by a number (in "${words.trim()}")`;
}

function emptinessRules(words: string, type: EvidenceType): EvidenceRule[] {
  const isSized = type === "string" || type === "list" || type === "object";
  const nonEmpty =
    /\bnon-? ?empty\b|\bnot (?:be )?(?:empty|blank)\b|\bmust (?:contain|include)\b|\bnever empty\b/i.test(words);
  const nonZero = /\bnon-? ?zero\b|\bnot (?:be )?zero\b|(?<!\bnon-? ?)\bpositive\b/i.test(words);
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
  if (/\b(?:may|can) be false\b|\bmay be true or false\b|\beither true or false\b/i.test(words))
    return [{ kind: "one_of", values: [true, false] }];
  const [, value = ""] =
    /\b(?:must|should|has to|needs to) (?:always )?(?:be|equal|stay|remain) (true|false)\b|(?:^|[\s(,;:=])=?=?\s*(?:is|always|equals) (true|false)\b|(?:^|[(,;:=–—]|\s-)\s*(true|false)\s*(?=$|[,;.)])/i
      .exec(words)
      ?.filter((part) => part !== undefined) ?? [];
  return value === "" ? [] : [{ kind: "equals", value: value.toLowerCase() === "true" }];
}

function existenceRules(words: string, type: EvidenceType, field: string): EvidenceRule[] {
  if (type !== "string" && type !== "list") return [];
  const exists = "(?:must |should |that |which |all )*exists?\\b";
  const isSaid = (things: string): boolean =>
    new RegExp(`\\b(?:${things})s? ${exists}|\\bexisting (?:${things})s?\\b`, "i").test(words);
  const isPlain = /(?:^|[\s(,;])(?:must|has to|should)(?: all)? (?:already )?exist\b/i.test(words);
  const about = `${words} ${field.replaceAll("_", " ")}`;
  if (isSaid("directory|directorie|folder") || (isPlain && /\b(?:director(?:y|ies)|folders?|dirs?)\b/i.test(about)))
    return [{ kind: "directory_exists" }];
  return isSaid("file|path") || (isPlain && /\b(?:files?|paths?|documents?|reports?)\b/i.test(about))
    ? [{ kind: "file_exists" }]
    : [];
}

function patternIn(words: string, type: EvidenceType): string | undefined {
  if (type !== "string") return undefined;
  const lead =
    "\\b(?:match(?:es|ing)?|pattern|regex|regular expression)(?: the)?(?: pattern| regex| regular expression)?:? ?";
  const forms = [
    `${lead}\\/(.+?)\\/(?=[\\s.,;)]|$)`,
    `${lead}\`([^\`]*[\\\\^$\\[*+?][^\`]*)\``,
    `${lead}(\\^\\S+?)(?=[,;)]*(?:\\s|$))`,
  ];
  return forms.map((form) => new RegExp(form, "i").exec(words)?.[1]).find((pattern) => pattern !== undefined);
}

function distinct(rules: readonly EvidenceRule[]): EvidenceRule[] {
  const seen = new Map<string, EvidenceRule>();
  for (const rule of rules) seen.set(JSON.stringify(rule), rule);
  const kept = [...seen.values()];
  // "non-empty, at least 3": the stronger says it all.
  const longest = Math.max(...kept.map((rule) => (rule.kind === "length_at_least" ? rule.limit : 0)), 0);
  return kept.filter((rule) => rule.kind !== "length_at_least" || rule.limit === longest);
}
