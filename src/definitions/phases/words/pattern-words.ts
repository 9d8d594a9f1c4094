/** A pattern that words demand, and the words without it: its digits and signs are no limits and no values. */
export type PatternRead = { readonly pattern?: string; readonly rest: string };

/** Finds the pattern that a text must match: after "matches", "pattern", "regex" or "format", or one that begins with ^ and ends with $. */
export function patternIn(words: string): PatternRead {
  for (const form of forms) {
    const found = form.exec(words);
    const pattern = found?.[1];
    if (found !== null && pattern !== undefined && looksLikePattern(pattern))
      return { pattern, rest: `${words.slice(0, found.index)} ; ${words.slice(found.index + found[0].length)}` };
  }
  const alone = /^[\s:=;`]*([^\s`]+)[\s;`]*$/.exec(words)?.[1] ?? "";
  return isPatternAlone.test(alone) ? { pattern: alone, rest: " ; " } : { rest: words };
}

/** Tells whether a text can only be a pattern: it has signs that no value has. */
export function looksLikePattern(text: string): boolean {
  return /^\^|\$$|\\[a-zA-Z.]|\[[^\]]+\](?:[+*?{]|$)|\[[^\]]*-[^\]]*\]|[.)][*+?]|\(\?|\{\d+(?:,\d*)?\}|\w\|\w/.test(
    text,
  );
}

/** What nobody writes but in a pattern: a class of letters or digits, or something repeated. */
const isPatternAlone = /\\[dwsDWS]|\[[^\]]*(?:[a-z]-[a-z]|0-9)[^\]]*\]|[\])][+*?{]/i;

/** Words after which a pattern stands. */
export const patternLead =
  "\\b(?:(?:match(?:es|ing|ed)?|satisf(?:y|ies|ying)|conforms? to|follow(?:s|ing)?|fits?)(?: against)?|pattern|reg-?ex(?:p)?|regular expression|format(?:ted)?|of the form)(?: (?:of|is|as|like|by|to|with))?(?: (?:the|this|an?))?(?: (?:following|pattern|reg-?exp?|regular expression|format))*\\s*[:=]?\\s*";

const ending = "(?=[\\s.,;)]|$)";
const forms = [
  new RegExp(`${patternLead}\`?\\/((?:\\\\.|[^/\\\\])+)\\/\`?${ending}`, "i"),
  new RegExp(`${patternLead}\`([^\`]+)\``, "i"),
  new RegExp(`${patternLead}["“]([^"”]+)["”]`, "i"),
  new RegExp(`${patternLead}(\\^\\S+?)(?=[,;)]*(?:\\s|$))`, "i"),
  /`(\^[^`]+\$)`/,
  /(?:^|[\s:(])\/(\^[^/]+\$)\/(?=[\s.,;)]|$)/,
  /(?:^|[\s:(])(\^\S+\$)(?=[,;.)]*(?:\s|$))/,
  // In a table's cell the backticks are gone.
  new RegExp(`${patternLead}(\\S+?)(?=[,;)]*(?:\\s|$))`, "i"),
];
