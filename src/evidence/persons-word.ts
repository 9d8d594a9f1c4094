/** Letters that draw nothing: fillers of Hangul, vowel signs of Khmer, the filler of old Khitan. */
const drawnBlank = /[\u115F\u1160\u17B4\u17B5\u3164\uFFA0\u{16FE4}]/gu;

/** Tells whether a text says anything: it holds a letter or a digit, of any script. Dots, dashes and what nobody sees are no word. */
export function isWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text.replaceAll(drawnBlank, ""));
}
