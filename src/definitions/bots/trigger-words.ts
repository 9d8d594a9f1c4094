import { isObject, type Json } from "../../kit/json.ts";

/** The trigger words of a tool as their author wrote them. */
export type TriggerWords = {
  readonly words: readonly string[];
  /** The author's description of them. */
  readonly description?: string;
  /** True if every entry is a string. */
  readonly isWhole: boolean;
};

/** Finds trigger words in a string, a list, or an object with a description. */
export function triggerWordsIn(value: Json | undefined): TriggerWords {
  if (value === undefined || value === null) return { words: [], isWhole: true };
  if (isObject(value)) {
    const { description } = value;
    const key =
      listKeys.find((name) => value[name] !== undefined) ??
      Object.keys(value).find((name) => Array.isArray(value[name]));
    const found = triggerWordsIn(key === undefined ? undefined : value[key]);
    return typeof description === "string" ? { ...found, description: description.trim() } : found;
  }
  const entries: readonly Json[] = Array.isArray(value) ? value : [value];
  const words = entries.flatMap((word) => (typeof word === "string" && word.trim() !== "" ? [word.trim()] : []));
  return { words, isWhole: words.length === entries.length };
}

const listKeys = ["patterns", "words", "trigger_words", "triggers", "keywords"];

/** The words of a trigger; for a pattern, the words in it, one entry for each alternative. */
export function plainWords(trigger: string): readonly string[] {
  if (!looksLikePattern(trigger)) return [trigger];
  const pattern = /^\/(.+)\/[a-z]*$/s.exec(trigger)?.[1] ?? trigger;
  const found: string[] = [];
  for (let at = 0; at < pattern.length; ) {
    const group = readAlternatives(pattern, at);
    found.push(...group.alternatives);
    at = group.end;
  }
  const words = found.map((words) => words.replaceAll(/\s+/g, " ").trim()).filter((words) => words.length > 1);
  return [...new Set(words)];
}

/** True for a text meant as a regular expression; in doubt it counts as words. */
export function looksLikePattern(text: string): boolean {
  return /\\[bdwsBDWS]|\.[*+]|\(\?[:=!<]|[)\]][*+{?]|^\^|\w\|\w|^\/.+\/[a-z]*$/.test(text) || hasLooseBracket(text);
}

/** True if a text has an unclosed bracket, which plain words do not have. */
function hasLooseBracket(text: string): boolean {
  const count = (char: string): number => text.split(char).length;
  return count("(") > count(")") || count("[") > count("]");
}

/** Reads up to the end of a group; inside a nested group the first alternative counts. */
function readAlternatives(pattern: string, from: number): { readonly alternatives: string[]; readonly end: number } {
  const alternatives = [""];
  let at = from;
  while (at < pattern.length && pattern.charAt(at) !== ")") {
    const { words, end } = readAtom(pattern, at);
    if (pattern.charAt(at) === "|") alternatives.push("");
    else alternatives[alternatives.length - 1] += words;
    at = afterQuantifier(pattern, end);
  }
  return { alternatives, end: at + 1 };
}

function readAtom(pattern: string, at: number): { readonly words: string; readonly end: number } {
  const char = pattern.charAt(at);
  if (char === "\\") {
    const escaped = pattern.charAt(at + 1);
    return { words: "s".includes(escaped) ? " " : "bBdDwWS".includes(escaped) ? "" : escaped, end: at + 2 };
  }
  if (char === "[") {
    const close = pattern.indexOf("]", at + 2);
    const isBlank = pattern.slice(at, close).includes(" ") || pattern.slice(at, close).includes("\\s");
    return { words: isBlank ? " " : "", end: close === -1 ? pattern.length : close + 1 };
  }
  if (char === "(") {
    const isLook = ["?=", "?!", "?<=", "?<!"].some((mark) => pattern.startsWith(mark, at + 1));
    const start = pattern.startsWith("?:", at + 1) ? at + 3 : at + 1;
    const { alternatives, end } = readAlternatives(pattern, start);
    return { words: isLook ? "" : (alternatives[0] ?? ""), end };
  }
  return { words: char === "." ? " " : "^$|".includes(char) ? "" : char, end: at + 1 };
}

function afterQuantifier(pattern: string, at: number): number {
  const char = pattern.charAt(at);
  if (char === "{") return Math.max(at + 1, pattern.indexOf("}", at) + 1);
  if (!"*+?".includes(char) || char === "") return at;
  return pattern.charAt(at + 1) === "?" ? at + 2 : at + 1;
}
