/** Tells whether a text can be the name of a piece of evidence: one word of letters, digits and underscores. */
export function isName(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9]*(?:[_-]+[A-Za-z0-9]+)*$/.test(text) && text.length <= 100;
}

/** Tells whether a name is one that nobody writes in a sentence: with an underscore in it. */
export function isSnake(text: string): boolean {
  return isName(text) && text.includes("_");
}

/** A text as a name: lower case, what is neither letter nor digit as one underscore. */
export function asSnake(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/['’`]/g, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "_")
    .replaceAll(/^_+|_+$/g, "");
}
