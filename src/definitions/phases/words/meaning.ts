import type { EvidenceRule, EvidenceType } from "../../../gates/gate.ts";
import { buildRules, combineRules, type RulesRead, rulesForKey } from "../../gates/rule-names.ts";
import type { Line } from "../markdown/text-lines.ts";
import { type Clauses, readClauses, type Said } from "./clauses.ts";
import { formAt } from "./forms.ts";
import { glue, hedges, isBoundary, joints, severals, typeAt, typeOfName } from "./lexicon.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** What the words about a field come to: all of it, or why it is not understood. */
export type Meaning =
  | {
      readonly type: EvidenceType;
      readonly rules: readonly EvidenceRule[];
      readonly required?: boolean;
      readonly mayBeEmpty: boolean;
      /** Other fields that it must stand in a relation to. */
      readonly relations: Clauses["relations"];
    }
  | { readonly unclear: string };

/** Where words about a field stand: its name, whether it is a box, its type where that is written elsewhere, and which names are fields. */
export type Context = {
  readonly field: string;
  readonly isBox: boolean;
  readonly type?: EvidenceType;
  isField(name: string): boolean;
};

/** Understands the words about a field, whole or not at all. */
export function meaningOf(words: Pick<Line, "text" | "marks">, context: Context): Meaning {
  const tokens = tokensOf(words);
  const read = context.type === undefined ? typeIn(tokens) : { type: context.type };
  if (read.unclear !== undefined) return { unclear: read.unclear };
  const first = readClauses(tokens, read.type, context.isField);
  const type = read.type ?? typeOfName(context.field) ?? impliedType(first, context.isBox);
  // A box that says nothing of a value is a promise in its own words, and these may say "no".
  const clauses = type === read.type ? first : readClauses(tokens, type, context.isField);
  const { said, unclear, ...more } = clauses;
  const units = new Set(said.flatMap(({ unit }) => unit ?? []));
  const told = tokens.filter(
    (token, at) => token.kind === "word" && !units.has(token) && tokens[at - 1]?.number === undefined,
  );
  const isNamed = (noun: string): boolean => isNoun(noun, context.field, told);
  const made = combineRules(said.map((one) => rulesOf(one, type, words.text, isNamed)));
  if (unclear !== undefined) return { unclear };
  if ("unusable" in made) return { unclear: made.unusable };
  return { type, rules: made.rules, mayBeEmpty: made.mayBeEmpty === true, ...more };
}

/** Tells whether words by themselves say what something must be; `orSeems`: or may say it. */
export function statesRule(
  words: Pick<Line, "text" | "marks">,
  isField: (name: string) => boolean,
  orSeems = false,
): boolean {
  const tokens = tokensOf(words);
  const { said, relations, unclear } = readClauses(tokens, undefined, isField);
  const isDemanding = orSeems || tokens.some(({ word }) => demanding.has(word));
  return said.length + relations.length > 0 || (unclear !== undefined && isDemanding);
}

const demanding = new Set(["must", "shall", "should", "required", "mandatory"]);

/** The type that rules are asked of, where no word names it: a bound is one of a number. */
function impliedType({ said: [first], relations }: Clauses, isBox: boolean): EvidenceType {
  if (first === undefined) return relations.length > 0 ? "number" : isBox ? "boolean" : "string";
  const { form, given } = first;
  const unit = first.unit?.word ?? "";
  if (characters.has(unit)) return "string";
  if (items.has(unit)) return "list";
  if (given.length > 0 && given.every((one) => typeof one === "number")) return "number";
  if (typeof given[0] === "boolean") return "boolean";
  const made = form.takes === "nothing" ? buildRules(form, [], "number") : { rules: [] };
  return "rules" in made && made.rules.length > 0 ? "number" : "string";
}

function rulesOf(
  { form, given, unit }: Said,
  type: EvidenceType,
  words: string,
  isNamed: (noun: string) => boolean,
): RulesRead {
  const isMeasured = unit !== undefined && type === "string";
  const isKnown = unit === undefined || unitsOf(type).has(unit.word) || (!isMeasured && isNamed(unit.word));
  if (!isKnown)
    return {
      unusable: `"${unit.text}" after a number is not a unit of this ${type}: ${isMeasured ? inCharacters : sayWhat}`,
    };
  // "exactly 3 entries" of a list is about its length.
  const [value] = given;
  if (form.kind === "equals" && typeof value === "number" && (isMeasured || type === "list" || type === "object"))
    return rulesForKey("length", value, type) ?? { unusable: "it has no length" };
  // So many characters of a text are what so many entries are of a list.
  const made = buildRules(form, given, isMeasured ? "list" : type);
  if ("unusable" in made) return made;
  const isFolder = /folder|directory/i.test(words);
  const rules = made.rules.map(
    (rule): EvidenceRule => (rule.kind === "file_exists" && isFolder ? { kind: "directory_exists" } : rule),
  );
  return { ...made, rules };
}

const inCharacters = "a text is measured in characters";
const sayWhat =
  'write the number alone, in digits, or say what the field counts, as in "number of tests, at least 3 tests"';
const characters = new Set(["character", "characters", "chars", "letters"]);
const items = new Set("item items entry entries element elements strings integers numbers booleans objects".split(" "));
const keys = new Set("key keys item items entry entries".split(" "));

/** What the values of a type are measured in, whatever the field is called. */
function unitsOf(type: EvidenceType): ReadonlySet<string> {
  return type === "string" ? characters : type === "list" ? items : type === "object" ? keys : new Set();
}

/** Tells whether a noun behind a number is what the field counts, by its name or the words about it: a million is of nothing. */
function isNoun(noun: string, field: string, told: readonly Token[]): boolean {
  const named = field
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1_$2")
    .toLowerCase()
    .split(/[_-]/);
  return [...named, ...told.map(({ word }) => word)].some((word) => singular(word) === singular(noun));
}

function singular(word: string): string {
  return word.replace(/ies$/, "y").replace(/(?<=s|x|ch|sh)es$|s$/, "");
}

/** What the words about a field say of its type: one, none, or more than one. */
type TypeRead = { readonly type?: EvidenceType; readonly unclear?: string };

/** Finds the type in the words about a field: the head of the first phrase, or a clause that begins with it. */
function typeIn(tokens: readonly Token[]): TypeRead {
  const types = new Set<EvidenceType>();
  for (const clause of clausesOf(tokens)) {
    const read = headOf(clause);
    if (read.unclear !== undefined) return read;
    if (read.type !== undefined) types.add(read.type);
  }
  if (types.has("integer")) types.delete("number");
  const [type, ...others] = types;
  if (others.length > 0) return { unclear: `says both ${[...types].join(" and ")}` };
  return type === undefined ? {} : { type };
}

function clausesOf(tokens: readonly Token[]): Token[][] {
  const clauses: Token[][] = [[]];
  for (const token of tokens) {
    if (isBoundary(token)) clauses.push([]);
    else clauses.at(-1)?.push(token);
  }
  return clauses.filter((clause) => clause.length > 0);
}

/** "the list of events", "a non-empty text", "true/false flag": the type is the last word of the phrase, or a part of speech follows it. */
function headOf(clause: readonly Token[]): TypeRead {
  if (clause.some(({ word }) => hedges.has(word))) return {};
  let at = clause.findIndex(({ word }) => !glue.has(word));
  // "in percent" and "number of" begin with words that join others.
  const early = clause
    .map((_, index) => typeAt(clause, index))
    .find((one, index) => one !== undefined && one.end - index === 2);
  if (early !== undefined) {
    const isMeasured =
      early.type === "integer" && clause[early.end - 1]?.word === "of" && formAt(clause, early.end, () => false);
    return { type: isMeasured ? "number" : early.type };
  }
  let type: EvidenceType | undefined;
  let after: Token | undefined;
  for (; at >= 0 && at < clause.length; at++) {
    if (type === undefined) at = behindRule(clause, at);
    const token = clause[at];
    if (type === undefined && severals.has(token?.word ?? "")) return { unclear: notSure("a list", clause) };
    const here = typeAt(clause, at);
    if (here !== undefined) {
      type = here.type;
      after = undefined;
      if (token?.word === "whether") break;
      at = here.end - 1;
    } else if (token?.kind === "mark") continue;
    else if (token === undefined || joints.has(token.word) || token.kind !== "word" || isForm(clause, at)) break;
    else if (type !== undefined && !isParticiple(token.word)) after ??= token;
  }
  if (type === undefined) return {};
  return after === undefined ? { type } : { unclear: notSure(type, clause) };
}

/** "a positive integer", "non-empty list": the type stands behind a rule. */
function behindRule(clause: readonly Token[], at: number): number {
  const rule = formAt(clause, at, () => false);
  return rule !== undefined && typeAt(clause, rule.end) !== undefined ? rule.end : at;
}

function notSure(type: string, clause: readonly Token[]): string {
  return `may mean ${type} or not: "${clause.map(({ text }) => text).join(" ")}"`;
}

function isForm(clause: readonly Token[], at: number): boolean {
  const found = formAt(clause, at, () => false);
  return found !== undefined || ["must", "not", "no", "may"].includes(clause[at]?.word ?? "");
}

function isParticiple(word: string): boolean {
  return word.endsWith("ed") || word.endsWith("ing") || word.endsWith("ly") || word.endsWith("en");
}
