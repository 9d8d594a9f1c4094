/** A text in quotes or backticks. */
export type Quoted = { readonly text: string; readonly isCode: boolean };

/** Puts a placeholder in the place of every quoted text. */
export function maskQuotes(words: string): { readonly masked: string; readonly quoted: readonly Quoted[] } {
  const quoted: Quoted[] = [];
  const quotes = /`([^`]+)`|"([^"]+)"|“([^”]+)”|(?<!\w)'([^']+)'(?!\w)/g;
  const masked = words.replaceAll("**", "").replaceAll(quotes, (_, code, ...plain: (string | undefined)[]) => {
    const text = String(code ?? plain.slice(0, 3).find((one) => one !== undefined));
    quoted.push({ text, isCode: code !== undefined });
    return String.fromCharCode(firstQuote + quoted.length - 1);
  });
  return { masked, quoted };
}

/** Splits masked words into clauses, without examples. */
export function clausesOf(masked: string): string[] {
  return masked
    .replaceAll(/(?:\be\.\s?g\.?|\bfor example|\bfor instance|\bsuch as)[,:]?\s*[^;()]*/gi, "")
    .split(/;|,(?!\d)|[()[\]{}]|\.(?=\s|$)|[:!?](?=\s|$)|(?<!\d)\s+[-–—]\s+|\s+[-–—]\s+(?!\d)/)
    .map((clause) => clause.trim())
    .filter((clause) => /[\p{L}\p{N}\uE000-\uF8FF<>=≥≤≠]/u.test(clause));
}

/** The quoted text behind a placeholder. */
export function quoteIn(text: string, quoted: readonly Quoted[]): Quoted | undefined {
  return text.length === 1 ? quoted[text.charCodeAt(0) - firstQuote] : undefined;
}

/** Tells if words hold a number, a comparison, a negation, a condition, a modal or an alternative. */
export function mayBeRule(clause: string): boolean {
  return isMeasured(clause) || signals.test(clause);
}

/** Tells if words hold a number, a comparison or a condition. */
export function isMeasured(words: string): boolean {
  return measured.test(words.replaceAll(/\b\p{L}+[-_]?\d+\b/gu, ""));
}

const firstQuote = 0xe000;
/** Numbers, comparisons and conditions, which a person would expect to be enforced. */
const measures = [
  "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|hundreds?|thousands?|half|twice|double|once|per",
  "more|less|fewer|least|most|than|above|below|under|over|exceed\\w*|greater|larger|smaller|higher|lower|longer|shorter|equal\\w*",
  "same|identical|match\\w*|differ\\w*|between|within|up to|max\\w*|minim\\w*|limit\\w*|exactly|if|unless|when|whenever|except|depending|while",
].join("|");
const others = [
  "until|about|around|roughly|only|not|no|never|none|nothing|without|neither|nor|cannot|non|otherwise|always|contain\\w*|includ(?:es?|ing)",
  "must|should|shall|may|might|can|could|needs?|has to|have to|ought|will|would|or|either|any of|valid|start\\w* with|end\\w* with",
  "exists?|existing|empty|optional|ideally|usually|preferably|recommended|true|false|yes",
].join("|");
const measured = new RegExp(`[<>=≥≤≠±~≈%\\d]|^where\\b|\\b(?:${measures})\\b`, "iu");
const signals = new RegExp(`[/|]|n['’]t\\b|\\b(?:${others})\\b`, "iu");
