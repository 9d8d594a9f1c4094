/** The clauses of some words, with every quoted text behind a placeholder. */
export type Clauses = {
  readonly clauses: readonly string[];
  readonly quoted: readonly Quoted[];
  readonly examples: readonly string[];
};

/** A text in quotes or backticks. */
export type Quoted = { readonly text: string; readonly isCode: boolean };

/** Splits words into clauses, after taking out quotes and examples. */
export function clausesOf(words: string): Clauses {
  const quoted: Quoted[] = [];
  const masked = words
    .replaceAll("**", "")
    .replaceAll(
      /`([^`]+)`|"([^"]+)"|“([^”]+)”|(?<!\w)'([^']+)'(?!\w)/g,
      (_, code, ...plain: (string | undefined)[]) => {
        quoted.push({
          text: String(code ?? plain.slice(0, 3).find((text) => text !== undefined)),
          isCode: code !== undefined,
        });
        return String.fromCharCode(firstQuote + quoted.length - 1);
      },
    );
  const examples: string[] = [];
  const bare = masked.replaceAll(
    /(?:\be\.\s?g\.?|\bfor example|\bfor instance|\bsuch as)[,:]?\s*([^;()]*)/gi,
    (_, example: string) => {
      examples.push(example.trim().replace(/\.$/, ""));
      return "";
    },
  );
  const clauses = bare
    .split(/;|,(?!\d)|[()[\]{}]|\.(?=\s|$)|[:!?](?=\s|$)|(?<!\d)\s+[-–—]\s+|\s+[-–—]\s+(?!\d)/)
    .map((clause) => clause.trim())
    .filter((clause) => /[\p{L}\p{N}\uE000-\uF8FF<>=≥≤≠]/u.test(clause));
  return { clauses, quoted, examples };
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
  "until|about|around|roughly|only|not|no|never|none|nothing|without|neither|nor|cannot|non|otherwise|always|contain\\w*|includ\\w*",
  "must|should|shall|may|might|can|could|needs?|has to|have to|ought|will|would|or|either|any of|valid|start\\w* with|end\\w* with",
  "exists?|existing|empty|optional|ideally|usually|preferably|recommended|true|false|yes",
].join("|");
const measured = new RegExp(`[<>=≥≤≠±~≈%\\d]|^where\\b|\\b(?:${measures})\\b`, "iu");
const signals = new RegExp(`[/|]|n['’]t\\b|\\b(?:${others})\\b`, "iu");
