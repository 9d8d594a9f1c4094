/** What a text costs a model at most, in tokens, whatever it says: names are chosen by others, and not all are words. */
export function weigh(text: string): number {
  let weight = 0;
  for (const sign of text) weight += weightOf(sign);
  return weight;
}

/** As much of a text as the room has place for. */
export function clip(text: string, room: number): string {
  if (weigh(text) <= room) return text;
  let kept = "";
  let left = room - weightOf("…");
  for (const sign of text) {
    left -= weightOf(sign);
    if (left < 0) break;
    kept += sign;
  }
  return `${kept}…`;
}

/** Letters and digits are joined to tokens, seldom one by one; signs often stand alone; anything else may cost a token for each byte. */
function weightOf(sign: string): number {
  const code = sign.codePointAt(0) ?? 0;
  if (code < 128) return /[a-zA-Z0-9 ]/.test(sign) ? 0.75 : 1;
  return code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}
