import { stem } from "./stem.ts";
import { isStopWord } from "./stop-words.ts";

/** Calls back with every term of a text, in order. */
export type EachTerm = (text: string, found: (term: string) => void) => void;

/** Reads a text as terms: stems of words, identifiers in parts and whole, single CJK characters and pairs of them. Remembers what it has made of a word. */
export function termReader(): EachTerm {
  const known = new Map<string, readonly string[]>();
  return (text, found) => {
    const isWide = wideLetter.test(text);
    const source = isWide ? text.normalize("NFKC") : text;
    for (const token of source.match(isWide ? wideTokens : tokens) ?? []) {
      let terms = known.get(token);
      if (terms === undefined) {
        terms = termsOf(token);
        if (known.size >= mostKnown) known.clear();
        known.set(token, terms);
      }
      for (const term of terms) found(term);
    }
  };
}

const mostKnown = 50_000;
const longest = 64;
/** A letter or digit beyond ASCII, or the accent of one. */
const wideLetter = /(?![\0-\x7f])[\p{L}\p{N}]|[\u0300-\u036f]/u;
const tokens = /[A-Za-z0-9]+(?:(?:[._/\-+#@:]+|'(?=[A-Za-z]))[A-Za-z0-9]+)*/g;
const wideTokens =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー々]+|[\p{L}\p{M}\p{N}]+(?:(?:[._/\-+#@:]+|['’](?=\p{L}))[\p{L}\p{M}\p{N}]+)*/gu;
const cjk = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー々]/u;
const plain = /^(?:\p{L}\p{Ll}*|\p{Lu}+|\p{N}+)$/u;
const parts = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{N}+|[\p{L}\p{M}]+/gu;
const mostParts = 6;

function termsOf(token: string): readonly string[] {
  if (cjk.test(token)) return pairs(token);
  if (plain.test(token)) return word(token);
  const split = token.replace(/['’]\p{L}*/gu, "").match(parts) ?? [];
  const whole = split.length > 1 && split.length <= mostParts ? word(split.join("")) : [];
  return [...split.flatMap(word), ...whole];
}

function word(token: string): readonly string[] {
  const lower = token.toLowerCase();
  return lower.length > longest || isStopWord(lower) ? [] : [stem(lower)];
}

function pairs(run: string): readonly string[] {
  const characters = [...run];
  return characters.flatMap((character, at) =>
    at === 0 ? [character] : [`${characters[at - 1]}${character}`, character],
  );
}
