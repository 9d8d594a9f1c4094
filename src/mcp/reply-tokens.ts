/** Estimates the tokens of a text (o200k), rather too high; a tokenizer would slow down the start. Stops counting beyond `most`. */
export function estimateTokens(text: string, most: number): number {
  let tokens = 0;
  for (let at = 0; at < text.length && tokens <= most; ) {
    let end = at;
    while (end < text.length && isLetterOrDigit(text.charCodeAt(end))) end += 1;
    const code = text.codePointAt(at) ?? 0;
    if (end > at) tokens += ofKnownRun(text.slice(at, end));
    else if (code !== space || !isLetterOrDigit(text.charCodeAt(at + 1))) tokens += ofCharacter(code);
    at = end > at ? end : at + (code > 0xffff ? 2 : 1);
  }
  return tokens;
}

/** A space before a word is part of it. */
const space = 0x20;

function isLetterOrDigit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
}

/** Cache: replies of a session repeat the same fields and values. */
const known = new Map<string, number>();
const mostKnown = 2000;

function ofKnownRun(run: string): number {
  const cost = known.get(run) ?? ofRun(run);
  if (run.length <= 40 && known.size < mostKnown) known.set(run, cost);
  return cost;
}

/** The cost of a character outside any word. */
const scrambled = 0.7;

/** The cost of a run of letters and digits: by word where there are words, by character for hashes and keys. */
function ofRun(run: string): number {
  if (/^\d+$/.test(run)) return Math.ceil(run.length / 3);
  const parts = run.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [];
  const isName = run.length >= parts.length * 3 && parts.every((part) => /^\d/.test(part) || isWord(part));
  if (parts.length > 1 && !isName) return run.length * scrambled;
  return parts.reduce((sum, part) => sum + ofPart(part), 0);
}

function ofPart(part: string): number {
  if (/^\d/.test(part)) return Math.ceil(part.length / 3);
  if (part.length <= 2) return 1.3;
  if (!isWord(part)) return part.length * scrambled;
  return part.length <= 6 ? 1.1 : part.length / 3;
}

/** Tells if letters could be a word: a vowel, and no four consonants in a row. */
function isWord(letters: string): boolean {
  return /[aeiouy]/i.test(letters) && !/[^aeiouy]{4}/i.test(letters);
}

/** The measured cost of a character up to a code point; rarer scripts cost more. */
const costs: readonly (readonly [upTo: number, tokens: number])[] = [
  [0x7f, 0.55],
  [0x24f, 1.7],
  [0x36f, 2],
  [0x6ff, 1.8],
  [0x7ff, 2],
  [0x8ff, 3],
  [0xe7f, 1.6], // Indic scripts and Thai
  [0xfff, 2.1],
  [0x10ff, 1.6],
  [0x11ff, 3],
  [0x139f, 2.1],
  [0x177f, 3],
  [0x17ff, 1.6], // Khmer
  [0x1dff, 3],
  [0x1fff, 2],
  [0x206f, 1.6], // dashes, quotes, dots
  [0x2bff, 2],
  [0x2fff, 3],
  [0x30ff, 1.6], // kana
  [0x4dff, 3],
  [0x9fff, 1.9],
  [0xabff, 3],
  [0xd7ff, 2.1], // Hangul
  [0xfeff, 3],
  [0xffff, 1.9],
  [0x1efff, 4],
  [0x1faff, 3.2], // emoji
];

/** JSON punctuation; two or three of these together are one token. */
const ofJson = new Set([...'":,{}[]'].map((sign) => sign.charCodeAt(0)));

function ofCharacter(code: number): number {
  if (ofJson.has(code)) return 0.4;
  return costs.find(([upTo]) => code <= upTo)?.[1] ?? 4;
}
