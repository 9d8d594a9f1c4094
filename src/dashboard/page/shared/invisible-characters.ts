/** A piece of an untrusted text: visible text, or an invisible character with what is drawn for it. */
export type Piece = { readonly text: string } | { readonly drawn: string; readonly code: string };

/**
 * Splits a text so that control characters, direction marks, joiners and shapeless letters are drawn; line breaks and tabs stay.
 */
export function splitInvisible(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: letter, index } of text.matchAll(invisibleCharacters)) {
    if (index > from) pieces.push({ text: text.slice(from, index) });
    const code = letter.codePointAt(0) ?? 0;
    pieces.push({ drawn: pictureOf(code), code: codeOf(code) });
    from = index + letter.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}

/** The invisible characters: control and format characters, fillers, the empty Braille cell, variation selectors and lone surrogates. */
const invisibleCharacters =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|[\u115f\u1160\u2800\u3164\uffa0]|[\ufe00-\ufe0e]|[\u{e0100}-\u{e01ef}]/gu;

function pictureOf(code: number): string {
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : codeOf(code);
}

function codeOf(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
