import { parseNumber } from "../../../kit/parse-number.ts";
import type { Line } from "../markdown/text-lines.ts";

/** A word, a number, a sign, a call such as `between(1, 5)`, a text in backticks or quotes, what ends a clause, or any other mark. */
export type Token = {
  readonly kind: "word" | "number" | "sign" | "call" | "code" | "quoted" | "stop" | "mark";
  /** As it stands there. */
  readonly text: string;
  /** In small letters. */
  readonly word: string;
  readonly number?: number;
  readonly start: number;
  readonly end: number;
};

/** Takes a line apart. What stands in backticks is one token, whatever it holds. */
export function tokensOf({ text, marks }: Pick<Line, "text" | "marks">): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (const mark of marks.filter(({ kind }) => kind === "code")) {
    tokens.push(...plainTokens(text, at, mark.start));
    tokens.push({ kind: "code", text: mark.text, word: mark.text.toLowerCase(), start: mark.start, end: mark.end });
    at = mark.end;
  }
  return [...tokens, ...plainTokens(text, at, text.length)].map(asStop);
}

/** A hyphen by itself parts clauses as a dash does, unless it stands between two numbers or, as in -x, before a word alone. */
function asStop(token: Token, at: number, tokens: readonly Token[]): Token {
  const [before, after] = [tokens[at - 1], tokens[at + 1]];
  const isRange = before?.number !== undefined && after?.number !== undefined;
  if (token.kind !== "sign" || token.text !== "-" || isRange) return token;
  const isMinus = after?.start === token.end && before?.end !== token.start;
  return { ...token, kind: isMinus ? "mark" : "stop" };
}

const pieces = new RegExp(
  [
    /"(?<quoted>[^"]*)"|“(?<curly>[^”]*)”/u,
    /|(?<number>(?<![\p{L}\p{N}_])-?(?:[1-9]\d{0,2}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?)/u,
    /(?<unit>k(?![\p{L}\p{N}])|(?=(?:ms|s|m|h|kb|mb|gb|px)(?![\p{L}\p{N}]))|(?![\p{L}\p{N}_]|-\p{L}))/u,
    // file(s) is a word; len(x) is none.
    /|(?<call>\p{L}[\p{L}\p{M}\p{N}_]*\((?!e?s\))[^()]*\))/u,
    /|(?<word>[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_'’/.-]*[\p{L}\p{M}\p{N}_])?)(?:\(e?s\))?/u,
    /|(?<stop>[.,;:()[\]{}?–—…]|(?<=[^\s(])!(?=\s|$))/u,
    // => is another sign than >, and !== another than ==.
    /|(?<sign>[<>=!]+|[≥≤≠∈+%/|-])/u,
    /|(?<mark>[^\s'’‘])/u,
  ]
    .map(({ source }) => source)
    .join(""),
  "gu",
);

function plainTokens(whole: string, from: number, to: number): Token[] {
  return [...whole.slice(from, to).matchAll(pieces)].map((found): Token => {
    const { quoted, curly, number, unit, call, word, sign, mark } = found.groups ?? {};
    const text = quoted ?? curly ?? word ?? found[0];
    const base = {
      text,
      word: text.toLowerCase(),
      start: from + found.index,
      end: from + found.index + found[0].length,
    };
    if (quoted !== undefined || curly !== undefined) return { ...base, kind: "quoted" };
    if (number !== undefined) return { ...base, kind: "number", ...worthOf(number, unit === "k" ? 1000 : 1) };
    if (word !== undefined) return spelled(base);
    if (call !== undefined) return { ...base, kind: "call" };
    return { ...base, kind: sign !== undefined ? "sign" : mark !== undefined ? "mark" : "stop" };
  });
}

function worthOf(written: string, times: number): Pick<Token, "number"> {
  const number = parseNumber(written);
  return number === undefined ? {} : { number: number * times };
}

/** Numbers may be written in words. */
function spelled(base: Omit<Token, "kind">): Token {
  const number = numberWords.indexOf(base.word);
  return number < 0 ? { ...base, kind: "word" } : { ...base, kind: "word", number };
}

const numberWords =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
    " ",
  );
