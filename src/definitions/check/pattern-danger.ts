/** Tells a text that was meant as a regular expression from words; errs on the side of words. */
export function looksLikePattern(text: string): boolean {
  return /\\[bdwsBDWS]|\.[*+]|\(\?[:=!<]|[)\]][*+{]|^\^|\w\|\w|^\/.+\/[a-z]*$/.test(text) || hasLooseBracket(text);
}

/** Tells a pattern that repeats what already repeats, as in (a+)+: an engine that backtracks may never come to an end with it. */
export function isDangerous(pattern: string): boolean {
  const repeats: boolean[] = [];
  const plain = pattern.replace(/\\./gs, "x").replace(/\[(?:\^?\])?[^\]]*\]/g, "x");
  for (let at = 0; at < plain.length; at++) {
    const char = plain.charAt(at);
    if (char === "(") repeats.push(false);
    const inner = char === ")" ? (repeats.pop() ?? false) : false;
    if (!/^(?:[*+]|\{\d+,\d*\})/.test(plain.slice(at + 1, at + 12))) {
      if (inner && repeats.length > 0) repeats[repeats.length - 1] = true;
      continue;
    }
    if (inner) return true;
    if (repeats.length > 0) repeats[repeats.length - 1] = true;
  }
  return false;
}

/** A bracket that is opened and never closed is no way to write words. */
function hasLooseBracket(text: string): boolean {
  const count = (char: string): number => text.split(char).length;
  return count("(") > count(")") || count("[") > count("]");
}
