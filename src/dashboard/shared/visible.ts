/** A piece of a text from outside: as it is, or a character that nobody would see, by what is drawn for it. */
export type Piece = { readonly text: string } | { readonly drawn: string; readonly code: string };

/**
 * Takes a text apart so that nothing in it is invisible: control characters, marks of direction, joiners and letters without a
 * shape are drawn. Ends of lines and tabs are what they are.
 */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: letter, index } of text.matchAll(unseen)) {
    if (index > from) pieces.push({ text: text.slice(from, index) });
    const code = letter.codePointAt(0) ?? 0;
    pieces.push({ drawn: pictureOf(code), code: codeOf(code) });
    from = index + letter.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}

/** Besides what Unicode calls control and format: fillers, the empty Braille cell, the selectors that can carry hidden data, halves of letters. */
const unseen =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|[\u115f\u1160\u2800\u3164\uffa0]|[\ufe00-\ufe0e]|[\u{e0100}-\u{e01ef}]/gu;

function pictureOf(code: number): string {
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : codeOf(code);
}

function codeOf(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
