/** Letters that draw nothing: Hangul fillers, Khmer vowel signs, the Khitan filler. */
const drawnBlank = /[\u115F\u1160\u17B4\u17B5\u3164\uFFA0\u{16FE4}]/gu;

/** Tells if a text holds a letter or digit of any script. */
export function hasLetterOrDigit(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text.replaceAll(drawnBlank, ""));
}
