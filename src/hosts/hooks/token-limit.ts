/** The highest possible token count of a text, since names chosen by others may not be words. */
export function maxTokens(text: string): number {
  let weight = 0;
  for (const sign of text) weight += maxTokensOf(sign);
  return weight;
}

/** Cuts a text to a number of tokens. */
export function clipToTokens(text: string, room: number): string {
  if (maxTokens(text) <= room) return text;
  let kept = "";
  let left = room - maxTokensOf("…");
  for (const sign of text) {
    left -= maxTokensOf(sign);
    if (left < 0) break;
    kept += sign;
  }
  return `${kept}…`;
}

/** Letters and digits share tokens, signs often take one each, and other characters up to one per byte. */
function maxTokensOf(sign: string): number {
  const code = sign.codePointAt(0) ?? 0;
  if (code < 128) return /[a-zA-Z0-9 ]/.test(sign) ? 0.75 : 1;
  return code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}
