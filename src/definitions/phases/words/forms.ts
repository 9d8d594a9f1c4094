import { type Idiom, idioms } from "../../../gates/rule-idioms.ts";
import { ruleVocabulary } from "../../../gates/rule-vocabulary.ts";
import type { Json } from "../../../kit/json.ts";
import { parseNumber } from "../../../kit/parse-number.ts";
import { formFromName } from "../../gates/rule-names.ts";
import type { Token } from "./tokens.ts";

/** A form of words that was found: where it ends, what it means, and what stands in its open places. */
export type Found = {
  readonly end: number;
  readonly form: Form;
  readonly given: readonly Json[];
  /** A field that stands where a number or value was wanted. */
  readonly field?: string;
};

/** What is found by its words: an entry of the vocabulary, or an idiom of it. */
export type Form = Omit<Idiom, "names" | "words"> & { readonly kind?: string };

/** Finds the longest form of the vocabulary that begins at a place. */
export function formAt(tokens: readonly Token[], at: number, isField: (name: string) => boolean): Found | undefined {
  let longest: Found | undefined;
  for (const { form, parts } of forms) {
    const match = matchParts(parts, { end: at, given: [] }, { tokens, isField });
    if (match !== undefined && match.end > (longest?.end ?? at)) longest = { ...match, form };
  }
  return longest;
}

/** `greater_than_3`, `between(1, 5)`: a rule by its name, as gate files have it. */
export function namedAt(tokens: readonly Token[], at: number): Found | undefined {
  const token = tokens[at];
  const isName = token?.kind === "call" || (token?.kind === "word" && token.word.includes("_"));
  const isCode =
    token?.kind === "code" && /^\p{L}+(?:_[\p{L}\p{N}.]+)+$|^\p{L}[\p{L}\p{N}_]*\([^()]*\)$/u.test(token.text);
  const read = isName || isCode ? formFromName(token.text) : undefined;
  return read === undefined || "unusable" in read ? undefined : { ...read, end: at + 1 };
}

type Part = { readonly words: readonly string[]; readonly isOptional: boolean };
type Match = Omit<Found, "form">;
type Words = { readonly tokens: readonly Token[]; readonly isField: (name: string) => boolean };

const forms: readonly { readonly form: Form; readonly parts: readonly Part[] }[] = [
  // What an idiom says is no value: "must not be EMPTY".
  ...idioms.flatMap((idiom) => idiom.words.map((words): readonly [string, Form] => [words, idiom])),
  ...Object.entries(ruleVocabulary).flatMap(([kind, entry]) =>
    entry.words.map((words) => [words, { ...entry, kind }] as const),
  ),
].map(([words, form]) => ({
  form,
  parts: words.split(" ").map((part) => ({
    words: (part.endsWith("?") ? part.slice(0, -1) : part).split("|"),
    isOptional: part.endsWith("?"),
  })),
}));

function matchParts([part, ...more]: readonly Part[], sofar: Match, about: Words): Match | undefined {
  if (part === undefined) return sofar;
  const found = matchPart(part, sofar, about);
  const taken = found === undefined ? undefined : matchParts(more, found, about);
  return taken ?? (part.isOptional ? matchParts(more, sofar, about) : undefined);
}

function matchPart({ words }: Part, sofar: Match, { tokens, isField }: Words): Match | undefined {
  const [place = ""] = words;
  if (!place.startsWith("{")) {
    const token = tokens[sofar.end];
    const isWord =
      token !== undefined && token.kind !== "code" && token.kind !== "quoted" && words.includes(token.word);
    return isWord ? { ...sofar, end: sofar.end + 1 } : undefined;
  }
  // "minimum: 2", "max = 5"
  const next = tokens[sofar.end];
  const isGiven =
    tokens[sofar.end - 1]?.kind === "word" && (next?.text === ":" || (next?.text === "=" && place !== "{v}"));
  const at = isGiven ? sofar.end + 1 : sofar.end;
  const token = tokens[at];
  if (token === undefined) return undefined;
  if (place === "{list}") return listAt(tokens, at, sofar);
  // Where a text is wanted, the name of a field may be meant as either.
  if (token.kind === "code" && isField(token.text)) return { ...sofar, end: at + 1, field: token.text };
  const value = valueIn(token, place);
  if (value === undefined) return undefined;
  const isShare = ["%", "percent"].includes(tokens[at + 1]?.word ?? "") && typeof value === "number";
  return { ...sofar, end: at + (isShare ? 2 : 1), given: [...sofar.given, value] };
}

/** What a token is worth in an open place; a bare word only where nobody writes it as a part of a sentence. */
function valueIn(token: Token, place: string): Json | undefined {
  const number = numberIn(token);
  if (place === "{n}") return number;
  if (token.kind === "quoted" || token.kind === "code")
    return place === "{v}" && number !== undefined ? number : token.text;
  if (place === "{q}") return undefined;
  if (number !== undefined) return number;
  if (token.word === "true" || token.word === "false") return token.word === "true";
  const first = token.text.slice(0, 1);
  const isCapital = token.text.length > 1 && token.text === token.text.toUpperCase() && token.text !== token.word;
  const isName = place === "{w}" && token.kind === "word" && first !== first.toLowerCase();
  return token.kind === "word" && (isCapital || isName) ? token.text : undefined;
}

function numberIn({ kind, text, number }: Token): number | undefined {
  return kind === "code" ? parseNumber(text) : number;
}

/** a, b or c: single words, two of them at least, and nothing else up to the end of the clause. [3, 7] may be a range. */
function listAt(tokens: readonly Token[], from: number, sofar: Match): Match | undefined {
  const stop = tokens.findIndex(({ kind, text }, at) => at >= from && kind === "stop" && text !== ",");
  const end = stop === -1 ? tokens.length : stop;
  const inside = tokens.slice(from, end);
  const items = inside.filter((token) => !isSeparator(token));
  const isParted = inside.every((token, at) =>
    at === 0 ? !isSeparator(token) : isSeparator(token) || isSeparator(inside[at - 1] ?? token),
  );
  const isRange =
    tokens[from - 1]?.text === "[" && items.length === 2 && items.every((token) => numberIn(token) !== undefined);
  const isList =
    isParted &&
    !isRange &&
    items.length > 1 &&
    items.at(-1) === inside.at(-1) &&
    items.every(({ kind, word }) => !["sign", "mark", "call"].includes(kind) && !["the", "an"].includes(word));
  const valueFor = (token: Token): Json =>
    token.kind === "number" || token.word === "true" || token.word === "false"
      ? (valueIn(token, "{v}") ?? null)
      : token.text;
  return isList ? { ...sofar, end, given: items.map(valueFor) } : undefined;
}

function isSeparator({ word, text }: Token): boolean {
  return ["or", "and"].includes(word) || [",", "/", "|"].includes(text);
}
