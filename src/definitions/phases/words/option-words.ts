/** Tells whether words about a piece of evidence leave it to the reader: "(optional)", "(if applicable)", "Nice to have: …". */
export function leavesOpen(text: string): boolean {
  const words = text.replaceAll(/\b(?:not|never|isn't) optional\b/gi, "");
  return /\boptional\b|\bnot required\b/i.test(words) || isOnlyWished(words);
}

/** Tells whether words only recommend: in brackets or before a colon; "the recommended size" says something else. */
export function isOnlyWished(text: string): boolean {
  return inBrackets.test(text) || /^\W*(?:recommended|nice[ -]to[ -]have|if applicable|bonus)\s*[:–—-]/i.test(text);
}

/** A text without the note that leaves it open, which is no part of a name. */
export function withoutOption(text: string): string {
  return text
    .replaceAll(new RegExp(inBrackets, "gi"), "")
    .replace(/^\W*(?:optional|recommended|nice[ -]to[ -]have|if applicable|bonus)\s*[:–—-]\s*/i, "");
}

const inBrackets =
  /[([]\s*(?:optional|if (?:applicable|any|available|relevant)|recommended|nice[ -]to[ -]have)\s*[)\]]/i;
