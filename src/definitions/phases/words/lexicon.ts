import { type EvidenceType, evidenceTypes } from "../../../gates/gate.ts";
import { typeVocabulary } from "../../../gates/type-vocabulary.ts";
import type { Token } from "./tokens.ts";

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Words that only join: they may stand between the beginning of a clause and a rule. */
export const glue = set(
  "a an the and but as it its is are be of with that which must shall has have needs need to do does value given in also contain contains containing hold holds",
);

/** Words after which no noun of the same phrase follows. */
export const joints = set(
  "of that which with for in to from by on as at where when who whose is are was were per each into",
);

/** Words before a colon that say what follows: a rule, or the type. Such a clause is understood whole. */
export const ruleLabels = set(
  "rule rules validation validator validators constraint constraints criterion criteria pattern regex",
);
export const typeLabels = set("type kind format");

/** Tells whether a token ends a clause. */
export function isBoundary({ kind, word }: Token): boolean {
  return kind === "stop" || word === "and" || word === "but";
}

/** Words that say "not quite": nothing in their clause is a rule. */
export const hedges = set(
  "ideally usually typically preferably normally often generally probably hopefully say recommended",
);

/** Words before an example. */
export const exampleWords = set("e.g eg example instance such like");

/** What a value is called that is only talked about. */
export const harmless = set(
  "suspicious odd unusual typical normal common usual good great fine ok okay ideal plenty rare strange high low excellent enough",
);

const modals = set(
  "must should shall may might can cannot could need needs ought required mandatory can't mustn't shouldn't won't needn't",
);
const comparisons = set(
  "than more less fewer greater larger smaller higher lower longer shorter bigger above below under over beyond exceed exceeds exceeding within between least most minimum maximum min max equal equals exactly precisely twice double half limit limits limited cap capped range threshold percent true false null tolerance plus minus strictly same identical roughly about approximately around",
);
const ofValues = set(
  "same only once later earlier before until sooner empty blank optional optionally allowed permitted enum contain contains containing match matches matching exist exists existing if provided whenever otherwise depending",
);
const negations = set(
  "not no never none neither nor without except excluding excluded excludes exclusive exclusively unless instead rather nothing nobody cannot isn't aren't doesn't don't can't non lacking missing",
);

/** "starting with https": a rule, as soon as the text stands in backticks. */
const edges = set("starting starts start beginning begins begin ending ends end");
const ofNumbers = set("positive negative even odd prime inclusive interval ends endpoints bounds");
/** Beyond twenty, numbers are written in digits. */
const tens = set("twenty thirty forty fifty sixty seventy eighty ninety");
const powers = set("hundred thousand million billion trillion dozen");

/** Why a word that is left over cannot be passed over: it may be half of a rule. */
export function isAlarming(token: Token, previous?: Token, type?: EvidenceType, before?: Token): boolean {
  const { kind, word } = token;
  const isYes = type === "boolean";
  if (kind === "sign") return word !== "/" && word !== "-";
  if (kind === "call") return true;
  if (kind !== "word" && kind !== "number") return false;
  if (token.number !== undefined || (word >= "0" && word < ":")) return !isPartOfName(token, previous, before);
  if (["with", "in"].includes(word) && edges.has(previous?.word ?? "")) return true;
  if (tens.has(word.split("-")[0] ?? "") || powers.has(word.replace(/s$/, ""))) return true;
  if (comparisons.has(word) || ((type === "integer" || type === "number") && ofNumbers.has(word))) return true;
  // What a yes is about may say "no" and "must": it is the promise itself.
  return (
    !isYes &&
    (ofValues.has(word) || modals.has(word) || negations.has(word) || word.startsWith("non-") || word.endsWith("n't"))
  );
}

/** "Phase 2", "ISO 8601", "on Windows 11": a number right after a name. A capital that only begins a clause makes none: "Reject 7". */
function isPartOfName({ kind }: Token, previous: Token | undefined, before: Token | undefined): boolean {
  if (kind !== "number" || previous?.kind !== "word") return false;
  const { text, word } = previous;
  const isCapital = text.slice(0, 1) !== word.slice(0, 1);
  const isShort = text.length > 1 && text === text.toUpperCase() && text !== word;
  return numbered.has(word) || isShort || (isCapital && before !== undefined && !isBoundary(before));
}

const numbered = set("phase task step section version chapter part figure table page rfc iso http python node");

/** The type that one or two words name in a sentence. */
export function typeAt(
  tokens: readonly Token[],
  at: number,
): { readonly type: EvidenceType; readonly end: number } | undefined {
  const [one, two] = [tokens[at], tokens[at + 1]];
  const isPair = one !== undefined && one.kind !== "code" && two?.kind === "word";
  const both = isPair ? typeWords.get(`${one.word} ${two.word}`) : undefined;
  if (both !== undefined) return { type: both, end: at + 2 };
  const coded = one?.text.endsWith("[]") ? "list" : byName.get(one?.word ?? "");
  const type = one?.kind === "word" ? typeWords.get(one.word) : one?.kind === "code" ? coded : undefined;
  return type === undefined ? undefined : { type, end: at + 1 };
}

/** Words that name a type and more than one value of it: whether a list is meant nobody knows. */
export const severals = set("integers ints booleans bools floats");

/** The type that the last word of a field's name tells. */
export function typeOfName(field: string): EvidenceType | undefined {
  const last = field.toLowerCase().split("_").at(-1) ?? "";
  return evidenceTypes.find((type) => typeVocabulary[type].endings.includes(last));
}

const entries = <Key extends "words" | "names">(key: Key): [string, EvidenceType][] =>
  evidenceTypes.flatMap((type) => typeVocabulary[type][key].map((word): [string, EvidenceType] => [word, type]));
const typeWords: ReadonlyMap<string, EvidenceType> = new Map(entries("words"));
const byName: ReadonlyMap<string, EvidenceType> = new Map(entries("names"));
