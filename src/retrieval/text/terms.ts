import { stem } from "./stem.ts";
import { isStopWord } from "./stop-words.ts";

/** Calls back with every term of a text, in order. */
export type EachTerm = (text: string, found: (term: string) => void) => void;

/** A term with the word, or the part of one, that it was made from. */
export type WrittenTerm = { readonly term: string; readonly said: string };

/** Creates a reader of terms with a cache: word stems, identifiers in parts and whole, CJK characters and pairs. */
export function termReader(): EachTerm {
  const known = new Map<string, readonly string[]>();
  return (text, found) => {
    for (const token of tokensOf(text)) {
      let terms = known.get(token);
      if (terms === undefined) {
        terms = termsOf(token).map(({ term }) => term);
        if (known.size >= mostKnown) known.clear();
        known.set(token, terms);
      }
      for (const term of terms) found(term);
    }
  };
}

/** Splits a short text into words, each with its terms and their written forms. */
export function writtenTerms(text: string): readonly (readonly WrittenTerm[])[] {
  return tokensOf(text).map(termsOf);
}

const mostKnown = 50_000;
const longest = 64;
/** A letter or digit beyond ASCII, or a combining accent. */
const wideLetter = /(?![\0-\x7f])[\p{L}\p{N}]|[\u0300-\u036f]/u;
const tokens = /[A-Za-z0-9]+(?:(?:[._/\-+#@:]+|'(?=[A-Za-z]))[A-Za-z0-9]+)*/g;
const wideTokens =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー々]+|[\p{L}\p{M}\p{N}]+(?:(?:[._/\-+#@:]+|['’](?=\p{L}))[\p{L}\p{M}\p{N}]+)*/gu;
const cjk = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー々]/u;
const plain = /^(?:\p{L}\p{Ll}*|\p{Lu}+|\p{N}+)$/u;
const parts = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{N}+|[\p{L}\p{M}]+/gu;
const mostParts = 6;

function tokensOf(text: string): readonly string[] {
  const isWide = wideLetter.test(text);
  return (isWide ? text.normalize("NFKC").match(wideTokens) : text.match(tokens)) ?? [];
}

function termsOf(token: string): readonly WrittenTerm[] {
  if (cjk.test(token)) return pairs(token).map((pair) => ({ term: pair, said: pair }));
  if (plain.test(token)) return word(token);
  const split = token.replace(/['’]\p{L}*/gu, "").match(parts) ?? [];
  const whole = split.length > 1 && split.length <= mostParts ? word(split.join(""), token) : [];
  return [...split.flatMap((part) => word(part)), ...whole];
}

function word(token: string, said = token): readonly WrittenTerm[] {
  const lower = folded(token.toLowerCase());
  return lower.length > longest || isStopWord(lower) ? [] : [{ term: stem(lower), said }];
}

/** Writes accented Latin letters without their accents, and ß and ligatures in full. */
function folded(lower: string): string {
  if (!/[^\0-\x7f]/.test(lower)) return lower;
  const spelled = lower.replace(/[ßæœø]/g, (letter) => inFull[letter] ?? letter);
  return spelled
    .normalize("NFD")
    .replace(/(?<=[a-z])[\u0300-\u036f]+/g, "")
    .normalize("NFC");
}

const inFull: Readonly<Record<string, string>> = { ß: "ss", æ: "ae", œ: "oe", ø: "o" };

function pairs(run: string): readonly string[] {
  const characters = [...run];
  return characters.flatMap((character, at) =>
    at === 0 ? [character] : [`${characters[at - 1]}${character}`, character],
  );
}
